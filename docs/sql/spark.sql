-- The sums of a metric from files of events, in Spark. What rows and columns mean is in ../events-files.md.
-- `cargo xtask query-engines` runs it on random events: the sums are those of Assay, to the last digit.
--
-- The statement has what the visitors of experiment 4001 spend on `purchase` within 14 days (336 hours) of their first exposure, 50000 at most, either way, for each.
-- Without the line with 336, whenever it is. For other metrics, another amount takes the place of the one of revenue, and another number that of 50000:
-- revenue: coalesce(done.revenue, 0)
-- value, in millionths: coalesce(done.value, 0) * 1000000
-- conversion, at most 1: 1
create temporary view events using parquet options (path 'events/project=1000');

with once as (
    select *, row_number() over (partition by visitor, kind, experiment_id, name, event_id order by received, time) as telling
    from events
), counted as (
    select * from once where telling = 1 and not is_bot and not is_previewed
), first_exposures as (
    select visitor, min(variation_id) as variation, min(time) as first_time, min(day) as first_day
    from counted
    where kind = 'exposure' and experiment_id = 4001 and not is_forced and not is_held_back
    group by visitor
    having min(variation_id) = max(variation_id)
), steps as (
    select exposed.visitor as visitor, exposed.variation as variation, done.day as day,
        sum(cast(coalesce(done.revenue, 0) as decimal(38, 0))) as amount
    from first_exposures exposed join counted done on done.visitor = exposed.visitor
    where done.kind = 'event' and done.name = 'purchase' and done.time >= exposed.first_time
        and done.time < exposed.first_time + interval 336 hour
    group by exposed.visitor, exposed.variation, done.day
), totals as (
    select variation, day, amount, sum(amount) over (partition by visitor order by day) as total from steps
), changes as (
    select variation, day, cast(0 as decimal(38, 0)) as joined,
        least(greatest(total - amount, cast(-50000 as decimal(38, 0))), cast(50000 as decimal(38, 0))) as x_before,
        least(greatest(total, cast(-50000 as decimal(38, 0))), cast(50000 as decimal(38, 0))) as x_after
    from totals
    union all
    select variation, first_day, cast(1 as decimal(38, 0)), cast(0 as decimal(38, 0)), cast(0 as decimal(38, 0)) from first_exposures
), days as (
    select variation, day, sum(joined) as more, sum(x_after - x_before) as more_x,
        sum(x_after * x_after - x_before * x_before) as more_x2
    from changes
    group by variation, day
)
select variation, day,
    sum(more) over (partition by variation order by day) as visitors,
    sum(more_x) over (partition by variation order by day) as sum_x,
    sum(more_x2) over (partition by variation order by day) as sum_x2
from days
order by variation, day;
