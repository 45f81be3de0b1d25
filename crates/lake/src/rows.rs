//! Shows the rows of a file one after the other without making records of them: a question about millions of events needs no memory for each.

use std::collections::BTreeSet;
use std::path::Path;

use events::{About, Amount, EventId, Marks, Millis, Occurrence, Record, UserAgent, Visitor};
use parquet::data_type::{
    ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int64Type,
};

use crate::circumstances::{agents, pages};
use crate::columns::{Group, odd};
use crate::kinds::{Kind, Kinds};
use crate::read::{EventFile, id, marks};
use crate::schema::{PROPERTY_NAMES, PROPERTY_TEXTS};
use crate::{LakeError, Wanted};

/// A row of a file, or a record that is looked at as one.
#[derive(Clone, Copy, Debug)]
pub struct Row<'g> {
    /// By which it is counted once among those of the visitor that are about the same.
    pub id: EventId,
    /// Who.
    pub visitor: Visitor,
    /// When it happened, by our clock.
    pub at: Millis,
    /// When it came.
    pub received: Millis,
    /// What happened.
    pub what: RowOccurrence<'g>,
    /// What is to be known of it.
    pub marks: Marks,
}

/// What happened.
#[derive(Clone, Copy, Debug)]
pub enum RowOccurrence<'g> {
    /// The visitor was given a variation.
    Exposure {
        /// The id of the experiment.
        experiment: u64,
        /// The id of the variation.
        variation: u64,
        /// With what the visitor came.
        agent: UserAgent,
        /// The id of the page on which it was given.
        page: Option<u64>,
    },
    /// The visitor did something.
    Event {
        /// The key of the event.
        name: &'g str,
        /// In the currency's smallest unit.
        revenue: Option<i64>,
        /// Whatever the site counts.
        value: Option<Amount>,
        /// What else the site tells, if it was asked for.
        properties: Properties<'g>,
    },
}

/// The properties of an event.
#[derive(Clone, Copy, Debug)]
pub struct Properties<'g>(PropertySource<'g>);

#[derive(Clone, Copy, Debug)]
enum PropertySource<'g> {
    Record(&'g events::Properties),
    Columns { names: &'g [ByteArray], texts: &'g [ByteArray] },
}

/// By what a row is known.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// By which it is counted once.
    pub id: EventId,
    /// Who.
    pub visitor: Visitor,
}

/// Shows the wanted rows of a file, in its order. Events have no properties unless some are named here. A file that turns out to be damaged may have
/// shown rows before.
///
/// # Errors
/// As [`crate::read_file`].
pub fn show_rows(
    path: &Path,
    wanted: &Wanted,
    properties: &BTreeSet<String>,
    mut see: impl FnMut(&Row<'_>),
) -> Result<(), LakeError> {
    show_groups(path, wanted, |group, kinds| {
        let columns = Columns::of(group, &kinds, properties)?;
        for row in &kinds.wanted {
            see(&columns.row(&kinds, *row)?);
        }
        Ok(())
    })
}

/// Shows by what the wanted rows of a file are known.
///
/// # Errors
/// As [`crate::read_file`].
pub fn show_identities(
    path: &Path,
    wanted: &Wanted,
    mut see: impl FnMut(Identity),
) -> Result<(), LakeError> {
    show_groups(path, wanted, |group, kinds| {
        let ids = group.required::<FixedLenByteArrayType>("event_id")?;
        for row in &kinds.wanted {
            let id = EventId::from_bytes(id(&ids[*row])?);
            see(Identity { id, visitor: kinds.visitor(*row) });
        }
        Ok(())
    })
}

fn show_groups(
    path: &Path,
    wanted: &Wanted,
    mut show: impl FnMut(&mut Group, Kinds) -> Result<(), LakeError>,
) -> Result<(), LakeError> {
    let mut file = EventFile::open(path)?;
    for number in 0..file.groups() {
        if !file.may_have(number, wanted) {
            continue;
        }
        let mut group = file.group(number)?;
        let kinds = Kinds::of(&mut group, wanted)?;
        if !kinds.wanted.is_empty() {
            show(&mut group, kinds)?;
        }
    }
    Ok(())
}

/// The other columns of a row group.
struct Columns {
    variations: Vec<Option<i64>>,
    /// Empty where no exposure is wanted.
    agents: Vec<UserAgent>,
    /// The same.
    pages: Vec<Option<u64>>,
    times: Vec<i64>,
    received: Vec<i64>,
    ids: Vec<FixedLenByteArray>,
    revenues: Vec<Option<i64>>,
    values: Vec<Option<i64>>,
    properties: PropertyColumns,
    marks: Vec<Marks>,
}

impl Columns {
    fn of(
        group: &mut Group,
        kinds: &Kinds,
        properties: &BTreeSet<String>,
    ) -> Result<Self, LakeError> {
        let properties = if properties.is_empty() {
            PropertyColumns::none(group)
        } else {
            PropertyColumns::of(group)?
        };
        let (agents, pages) = if kinds.have_exposures()? {
            (agents(group)?, pages(group)?)
        } else {
            Default::default()
        };
        Ok(Self {
            variations: group.optional::<Int64Type>("variation_id")?,
            agents,
            pages,
            times: group.required::<Int64Type>("time")?,
            received: group.required::<Int64Type>("received")?,
            ids: group.required::<FixedLenByteArrayType>("event_id")?,
            revenues: group.optional::<Int64Type>("revenue")?,
            values: group.optional::<Int64Type>("value")?,
            properties,
            marks: marks(group)?,
        })
    }

    fn row<'g>(&'g self, kinds: &'g Kinds, row: usize) -> Result<Row<'g>, LakeError> {
        let what = match kinds.kind(row)? {
            Kind::Exposure { experiment } => {
                let variation = self.variations[row].and_then(|id| u64::try_from(id).ok());
                let variation = variation.ok_or_else(|| odd("variation_id"))?;
                let agent = self.agents.get(row).copied().unwrap_or_default();
                let page = self.pages.get(row).copied().flatten();
                RowOccurrence::Exposure { experiment, variation, agent, page }
            }
            Kind::Event { name } => RowOccurrence::Event {
                name,
                revenue: self.revenues[row],
                value: self.values[row].map(Amount::from_millionths),
                properties: self.properties.of_row(row),
            },
        };
        Ok(Row {
            id: EventId::from_bytes(id(&self.ids[row])?),
            visitor: kinds.visitor(row),
            at: Millis(self.times[row]),
            received: Millis(self.received[row]),
            what,
            marks: self.marks[row],
        })
    }
}

/// The properties of all rows, one after the other.
struct PropertyColumns {
    names: Vec<ByteArray>,
    texts: Vec<ByteArray>,
    /// Where those of each row end.
    ends: Vec<usize>,
}

impl PropertyColumns {
    fn none(group: &mut Group) -> Self {
        Self { names: Vec::new(), texts: Vec::new(), ends: vec![0; group.rows] }
    }

    fn of(group: &mut Group) -> Result<Self, LakeError> {
        let keys = group.leaf::<ByteArrayType>(PROPERTY_NAMES)?;
        let texts = group.leaf::<ByteArrayType>(PROPERTY_TEXTS)?.values;
        let (mut ends, mut end) = (Vec::with_capacity(group.rows), 0);
        for (defined, repeated) in keys.defined.into_iter().zip(keys.repeated) {
            // 0: no map, 1: one without entries, 2: an entry.
            end += usize::from(defined == 2);
            if repeated == 0 {
                ends.push(end);
            } else if let Some(last) = ends.last_mut() {
                *last = end;
            }
        }
        if ends.len() != group.rows || end != keys.values.len() {
            return Err(odd(PROPERTY_NAMES));
        }
        if texts.len() != end {
            return Err(odd(PROPERTY_TEXTS));
        }
        Ok(Self { names: keys.values, texts, ends })
    }

    fn of_row(&self, row: usize) -> Properties<'_> {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        let place = start..self.ends[row];
        let (names, texts) = (&self.names[place.clone()], &self.texts[place]);
        Properties(PropertySource::Columns { names, texts })
    }
}

impl RowOccurrence<'_> {
    /// What it is about.
    #[must_use]
    pub fn about(&self) -> About<String> {
        match self {
            Self::Exposure { experiment, .. } => About::Experiment(*experiment),
            Self::Event { name, .. } => About::Event((*name).to_owned()),
        }
    }
}

impl<'g> Properties<'g> {
    /// The text of a property.
    #[must_use]
    pub fn get(self, name: &str) -> Option<&'g str> {
        match self.0 {
            PropertySource::Record(properties) => properties.get(name),
            PropertySource::Columns { names, texts } => {
                let place = names.iter().rposition(|one| one.data() == name.as_bytes())?;
                texts.get(place)?.as_utf8().ok()
            }
        }
    }
}

impl<'r> From<&'r Record> for Row<'r> {
    fn from(record: &'r Record) -> Self {
        let what = match &record.what {
            Occurrence::Exposure { experiment, variation, agent, page, .. } => {
                let (experiment, variation) = (*experiment, *variation);
                RowOccurrence::Exposure { experiment, variation, agent: *agent, page: *page }
            }
            Occurrence::Event { name, revenue, value, properties } => RowOccurrence::Event {
                name,
                revenue: *revenue,
                value: *value,
                properties: Properties(PropertySource::Record(properties)),
            },
        };
        let Record { id, visitor, at, received, marks, .. } = *record;
        Self { id, visitor, at, received, what, marks }
    }
}
