//! What files say, however their writers put it.

use proptest::prelude::*;

use super::{
    ColumnNames, EventRow, ExposureRow, FileProperties, ReadRows, RowFormat, named_columns,
    read_rows,
};
use crate::{Browser, Device, Millis, UserAgent};

fn named(columns: &[(&str, &str)]) -> ColumnNames {
    let columns = columns.iter().map(|(field, column)| ((*field).to_owned(), (*column).to_owned()));
    named_columns(columns).unwrap()
}

fn properties<const A: usize, const N: usize, const B: usize>(
    all: [&str; A],
    numbers: [&str; N],
    booleans: [&str; B],
) -> FileProperties {
    FileProperties {
        names: all.map(str::to_owned).into(),
        numbers: numbers.map(str::to_owned).into(),
        booleans: booleans.map(str::to_owned).into(),
    }
}

fn exposures(text: &str) -> ReadRows<ExposureRow> {
    read_rows(text, RowFormat::Csv, &ColumnNames::default()).unwrap()
}

#[test]
fn csv_and_json_lines_say_the_same() {
    let csv = "time,visitor,experiment,variation,browser,device,page,note\n2026-11-22T09:30:00Z,ada,hero,Short,\"Chrome, new\",,home,x\n";
    let json = r#"{"visitor": "ada", "time": "2026-11-22T09:30:00Z", "experiment": "hero", "variation": "Short", "browser": "Mobile Chrome", "device": null, "page": "home", "note": 7}"#;

    let row = ExposureRow {
        visitor: "ada".to_owned(),
        at: Millis(1_795_339_800_000),
        experiment: Some("hero".to_owned()),
        variation: "Short".to_owned(),
        agent: UserAgent { browser: Some(Browser::Chrome), device: None },
        page: Some("home".to_owned()),
        is_held_back: false,
    };
    assert_eq!(exposures(csv).rows, std::slice::from_ref(&row));
    let read = read_rows::<ExposureRow>(json, RowFormat::Ndjson, &ColumnNames::default());
    assert_eq!(read.unwrap().rows, [row]);
}

#[test]
fn a_field_may_say_the_same_in_each_row() {
    let orders = "Name,Email,Paid at\n#1000,ada@example.com,2026-11-22\n";
    let names = [("visitor", "Email"), ("time", "Paid at"), ("name", "=purchase")];

    let read: ReadRows<EventRow> = read_rows(orders, RowFormat::Csv, &named(&names)).unwrap();

    assert_eq!(read.rows[0].name, "purchase", "{:?}", read.faults);
    assert_eq!((read.rows.len(), read.unseen.len()), (1, 0));
    let no_column = "Email,Paid at\nada@example.com,2026-11-22\n";
    let read = read_rows::<EventRow>(no_column, RowFormat::Csv, &named(&names)).unwrap();
    assert_eq!(read.rows[0].name, "purchase");
}

#[test]
fn whether_a_visitor_is_held_back_is_read_as_databases_write_it() {
    let text = "visitor,time,variation,holdback\n1,1795339800,a,t\n2,1795339800,a,0\n3,1795339800,a,\n4,1795339800,a,yes\n";

    let read = exposures(text);

    assert_eq!(
        read.rows.iter().map(|row| row.is_held_back).collect::<Vec<_>>(),
        [true, false, false]
    );
    assert_eq!(read.faults[0].detail, "`yes` in `holdback` is neither `true` nor `false`");
}

#[test]
fn a_property_that_is_true_or_false_changes_no_field_of_its_name() {
    let names = ["visitor", "experiment"];
    let names = ColumnNames::default().with_properties(properties(names, [], names));
    let text = "visitor,time,experiment,variation\n1,1795339800,t,Short\n";

    let row: ExposureRow = read_rows(text, RowFormat::Csv, &names).unwrap().rows.remove(0);

    assert_eq!((row.visitor.as_str(), row.experiment.as_deref()), ("1", Some("t")));
}

#[test]
fn browsers_and_devices_are_read_as_other_tools_call_them_and_none_is_a_fault() {
    let text = "visitor,time,variation,web_browser,category\n1,1795339800,a,Safari (in-app),mobile\n2,1795339800,a,Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0,\n3,1795339800,a,,smart tv\n4,1795339800,a,NetFront,7\n";
    let names = [("browser", "web_browser"), ("device", "category")];
    let names = named(&names);

    let read: ReadRows<ExposureRow> = read_rows(text, RowFormat::Csv, &names).unwrap();

    let agents: Vec<_> =
        read.rows.iter().map(|row| (row.agent.browser, row.agent.device)).collect();
    assert_eq!(
        agents,
        [
            (Some(Browser::InApp), Some(Device::Mobile)),
            (Some(Browser::Firefox), None),
            (None, Some(Device::Other)),
            (Some(Browser::Other), Some(Device::Other)),
        ]
    );
    assert_eq!(read.faults, []);
}

#[test]
fn columns_of_other_names_and_files_of_spreadsheets_are_read() {
    let text = "\u{feff}user_id;event_timestamp;event_name;value\r\n7;1795339800000000;purchase;19.99\r\n\r\n8;1795339800;signup;\r\n";
    let names = [("visitor", "user_id"), ("time", "event_timestamp"), ("name", "event_name")];
    let names = named(&names);

    let read: ReadRows<EventRow> = read_rows(text, RowFormat::Csv, &names).unwrap();

    assert_eq!(read.faults, []);
    let told: Vec<_> = read
        .rows
        .iter()
        .map(|row| {
            (
                row.visitor.as_str(),
                row.at,
                row.name.as_str(),
                row.value.map(crate::Amount::millionths),
            )
        })
        .collect();
    let at = Millis(1_795_339_800_000);
    assert_eq!(told, [("7", at, "purchase", Some(19_990_000)), ("8", at, "signup", None)]);
}

#[test]
fn numbers_have_commas_where_semicolons_separate_and_nowhere_else() {
    let names = named(&[("properties.revenue", "cents")]);
    let european = "visitor;time;name;value;cents\r\n7;1795339800;\"a\r\nb; c\";19,99;1999,0\r\n8;1795339800;buy;-1.999,50;1\r\n9;1795339800;buy;1,9,9;1\r\n";
    let american = "visitor,time,name,value\n7,1795339800,buy,\"1,999\"\n";

    let read: ReadRows<EventRow> = read_rows(european, RowFormat::Csv, &names).unwrap();
    let other: ReadRows<EventRow> =
        read_rows(american, RowFormat::Csv, &ColumnNames::default()).unwrap();

    let row = &read.rows[0];
    assert_eq!((row.name.as_str(), row.revenue), ("a\r\nb; c", Some(1_999)));
    assert_eq!(row.value.map(crate::Amount::millionths), Some(19_990_000));
    assert_eq!(read.rows[1].value.map(crate::Amount::millionths), Some(-1_999_500_000));
    assert!(read.faults[0].to_string().starts_with("line 5: `1,9,9` in `value`"));
    assert!(other.faults[0].to_string().starts_with("line 2: `1,999` in `value`"));
}

#[test]
fn the_separator_is_the_most_frequent_one_outside_of_quotes() {
    for text in [
        "visitor\ttime\tname\tvalue\tPrice, EUR\n7\t1795339800\tbuy\t2\t\n",
        "visitor;time;name;value;\"a, b, c, d, e\"\n7;1795339800;buy;2;\n",
        "sep=;\r\nvisitor;time;name;value;a,b,c,d,e\r\n7;1795339800;buy;2;\r\n",
    ] {
        let read: ReadRows<EventRow> =
            read_rows(text, RowFormat::Csv, &ColumnNames::default()).unwrap();
        assert_eq!(read.rows[0].value.map(crate::Amount::millionths), Some(2_000_000));
        assert_eq!(read.lines, [if text.starts_with("sep") { 3 } else { 2 }]);
    }
}

#[test]
fn terminal_control_characters_are_not_quoted() {
    let read = exposures("visitor,time,variation\n7,\u{1b}[2J,a\n");

    assert!(read.faults[0].to_string().starts_with("line 2: `\u{fffd}[2J` in `time`"));
}

#[test]
fn whether_a_point_parts_thousands_is_what_the_file_says_or_else_asked() {
    let names =
        named(&[("revenue", "cents")]).with_properties(properties(["price"], ["price"], []));
    let read = |rows: &str| -> ReadRows<EventRow> {
        let text = format!("visitor;time;name;value;cents;price\n{rows}");
        read_rows(&text, RowFormat::Csv, &names).unwrap()
    };

    let asked =
        read("7;1795339800;buy;2.000;;\n8;1795339800;buy;;1.999;\n9;1795339800;buy;;;1.500\n");
    let told =
        read("7;1795339800;buy;2.000;;0,5\n8;1795339800;buy;;1.999;\n9;1795339800;buy;;;1.500\n");

    let faults: Vec<_> = asked.faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "line 2: `2.000` in `value`: is it 2000 or 2.0? hint: write one of these",
            "line 3: `1.999` in `revenue`: is it 1999 or 1.9990? hint: write one of these",
            "line 4: `1.500` in `price`: is it 1500 or 1.5? hint: write one of these",
        ]
    );
    let [first, second, third] = told.rows.as_slice() else { panic!("{:?}", told.faults) };
    assert_eq!(first.value.map(crate::Amount::millionths), Some(2_000_000_000));
    assert_eq!(
        (second.revenue, &first.properties["price"], &third.properties["price"]),
        (Some(1_999), &"0.5".to_owned(), &"1500".to_owned())
    );
}

#[test]
fn true_and_false_are_read_as_each_tool_writes_them_where_a_metric_asks_for_them() {
    let names = ColumnNames::default().with_properties(properties(
        ["is_new", "seats"],
        ["seats"],
        ["is_new"],
    ));
    let row = |written: &str| format!("7,1795339800,buy,{written},{written}\n");
    let rows: String = ["t", "TRUE", "1", "1.0", "f", "0", "maybe", ""].map(row).concat();
    let csv = format!("visitor,time,name,is_new,seats\n{rows}");
    let json = r#"{"visitor": "7", "time": 1795339800, "name": "buy", "is_new": 1, "seats": 1}"#;

    let read: ReadRows<EventRow> = read_rows(&csv, RowFormat::Csv, &names).unwrap();
    let of_json: ReadRows<EventRow> = read_rows(json, RowFormat::Ndjson, &names).unwrap();

    let told = |name: &str| -> Vec<_> {
        read.rows.iter().map(|row| row.properties.get(name).map(String::as_str)).collect()
    };
    let [yes, no] = ["true", "false"].map(Some);
    assert_eq!(told("is_new"), [yes, yes, yes, yes, no, no, Some("maybe"), None]);
    assert_eq!(told("seats")[2], Some("1"), "it may be a number");
    assert_eq!(of_json.rows[0].properties, read.rows[2].properties);
}

#[test]
fn columns_are_found_whatever_their_capital_letters_where_that_leaves_no_doubt() {
    let names = named(&[("visitor", "User_ID")]).with_properties(properties(["plan"], [], []));
    let csv = "USER_ID,Time,NAME,Plan\n7,1795339800,buy,pro\n";
    let json =
        r#"{"user_id": "7", "TIME": 1795339800, "Name": "buy", "properties": {"PLAN": "pro"}}"#;

    let read = [(csv, RowFormat::Csv), (json, RowFormat::Ndjson)]
        .map(|(text, format)| read_rows::<EventRow>(text, format, &names).unwrap());

    for read in &read {
        assert_eq!((read.faults.as_slice(), read.unseen.len()), (&[][..], 0));
        assert_eq!((&*read.rows[0].visitor, &*read.rows[0].properties["plan"]), ("7", "pro"));
    }
    let both = "visitor,time,NAME,name\n7,1795339800,Order 1,buy\n";
    let doubt = "visitor,time,NAME,Name\n7,1795339800,Order 1,buy\n";
    let read = |text| read_rows::<EventRow>(text, RowFormat::Csv, &ColumnNames::default());
    assert_eq!(read(both).unwrap().rows[0].name, "buy");
    let told = read(doubt).unwrap_err().to_string();
    assert!(told.starts_with("line 1: there is no column `name`, only"), "{told}");
}

#[test]
fn what_assay_exported_is_refused_with_what_to_do() {
    let csv = "kind,name,visitor,time,event_id,is_held_back\nevent,buy,7,1795339800,00,false\n";
    let json = r#"{"kind": "event", "name": "buy", "visitor": 7, "time": 1795339800, "event_id": "00", "is_held_back": false}"#;

    for (text, format) in [(csv, RowFormat::Csv), (json, RowFormat::Ndjson)] {
        let read = read_rows::<EventRow>(text, format, &ColumnNames::default());

        let told = read.unwrap_err().to_string();
        assert!(told.contains("hint: split them by `kind`"), "{told}");
    }
}

#[test]
fn numbers_that_tools_write_as_missing_are_missing() {
    let names = named(&[("revenue", "cents")]).with_properties(properties(
        ["seats", "plan"],
        ["seats"],
        [],
    ));
    let row = |nothing: &str| format!("7,1795339800,buy,{}\n", [nothing; 4].join(","));
    let rows: String = ["NULL", "\\N", "NaN", "None"].map(row).concat();
    let text = format!("visitor,time,name,value,cents,seats,plan\n{rows}");

    let read: ReadRows<EventRow> = read_rows(&text, RowFormat::Csv, &names).unwrap();

    assert_eq!((read.rows.len(), &*read.faults), (4, &[][..]));
    for row in &read.rows {
        assert_eq!((row.value, row.revenue, row.properties.get("seats")), (None, None, None));
        assert!(row.properties.contains_key("plan"), "a text may be anything");
    }
}

#[test]
fn a_column_that_is_named_and_nowhere_is_told() {
    let named = |field: &str, column: &str| named(&[(field, column)]);
    let csv = "visitor,time,name,cents\n7,1795339800,buy,1999\n";
    let json = "{\"visitor\":\"7\",\"time\":1795339800,\"name\":\"buy\",\"properties\":{\"cents\":1999}}\n";
    let read = |names: &ColumnNames| {
        [(csv, RowFormat::Csv), (json, RowFormat::Ndjson)]
            .map(|(text, format)| read_rows::<EventRow>(text, format, names))
    };

    for right in read(&named("properties.revenue", "cents")) {
        assert_eq!(right.unwrap().rows[0].revenue, Some(1_999));
    }
    for (field, wrong) in [("properties.revenue", "cetns"), ("properties.revenue", "cents")] {
        for read in read(&named(field, wrong)) {
            assert_eq!(read.unwrap().unseen.contains(wrong), wrong == "cetns");
        }
    }
    let [csv, json] = read(&named("value", "prise"));
    assert!(csv.unwrap_err().to_string().contains("there is no column `prise`"));
    assert_eq!(json.unwrap().unseen, ["prise".to_owned()].into());
    for default in read(&named("properties.plan", "plan")) {
        assert_eq!(default.unwrap().unseen, [].into());
    }
}

#[test]
fn a_file_without_the_column_that_is_named_has_the_fields_own() {
    let csv = "visitor,time,name\n7,1795339800,buy\n";
    let json = r#"{"visitor": "7", "time": 1795339800, "name": "buy"}"#;
    let other = json.replace("visitor", "user_id");
    let read = |text: &str, format, columns: &[(&str, &str)]| {
        read_rows::<EventRow>(text, format, &named(columns))
    };

    for (text, format) in [(csv, RowFormat::Csv), (json, RowFormat::Ndjson)] {
        let read = read(text, format, &[("visitor", "user_id")]).unwrap();
        assert_eq!(read.rows[0].visitor, "7");
        assert_eq!(read.unseen, ["user_id".to_owned()].into(), "the importer has to look");
    }
    let mixed = format!("{json}\n{other}");
    let mixed = read(&mixed, RowFormat::Ndjson, &[("visitor", "user_id")]).unwrap();
    assert_eq!(mixed.faults[0].to_string(), "line 1: `visitor` is empty");
    let taken = read(csv, RowFormat::Csv, &[("visitor", "user_id"), ("name", "visitor")]);
    let told = taken.unwrap_err().to_string();
    assert!(told.starts_with("line 1: there is no column `user_id`, only"), "{told}");
}

#[test]
fn a_column_that_is_there_twice_is_refused_if_it_is_wanted() {
    let names = named(&[("properties.plan", "tier")]);
    let read = |text| read_rows::<EventRow>(text, RowFormat::Csv, &names);

    for (text, twice) in
        [("time,visitor,name,time\n", "time"), ("time,visitor,name,tier,tier\n", "tier")]
    {
        let told = read(text).unwrap_err().to_string();
        let expected = format!("line 1: there are two columns `{twice}`; hint: rename one");
        assert!(told.starts_with(&expected), "{told}");
    }
    assert_eq!(read("time,visitor,name,note,note\n").unwrap().rows, []);
}

#[test]
fn an_id_is_read_of_the_column_that_is_named_for_it_only() {
    let text = "visitor,time,name,id,order\n7,1795339800,buy,1,o1\n7,1795339800,buy,1,\n";
    let named = named(&[("id", "order")]);
    let ids = |names: &ColumnNames| -> Vec<_> {
        let read: ReadRows<EventRow> = read_rows(text, RowFormat::Csv, names).unwrap();
        read.rows.into_iter().map(|row| row.id).collect()
    };

    assert_eq!(ids(&ColumnNames::default()), [None, None]);
    assert_eq!(ids(&named), [Some("o1".to_owned()), None]);
}

#[test]
fn properties_are_read_of_columns_and_of_objects_if_they_are_asked_for() {
    let names = [("properties.plan", "tier"), ("properties.revenue", "revenue")];
    let names = named(&names);
    let csv = "visitor,time,name,tier,revenue,other\n7,1795339800,buy,pro,1999.0,x\n8,1795339800,buy,,19.99,x\n";
    let json = r#"{"visitor": "7", "time": 1795339800, "name": "buy", "tier": "free", "properties": {"tier": "pro"}, "revenue": 1999}"#;

    let read: ReadRows<EventRow> = read_rows(csv, RowFormat::Csv, &names).unwrap();
    let of_json: ReadRows<EventRow> = read_rows(json, RowFormat::Ndjson, &names).unwrap();

    assert_eq!(read.rows, of_json.rows);
    let row = &read.rows[0];
    assert_eq!(
        (row.properties.get("plan").map(String::as_str), row.revenue),
        (Some("pro"), Some(1_999))
    );
    let fault = "line 3: `19.99` in `revenue` is not a whole number, of cents for example";
    assert_eq!(read.faults[0].to_string(), fault);
    let unasked = read_rows::<EventRow>(csv, RowFormat::Csv, &ColumnNames::default()).unwrap();
    assert_eq!((unasked.rows.len(), unasked.rows[1].revenue), (2, None));
}

#[test]
fn rows_that_are_wrong_are_told_with_their_lines_and_take_no_other_with_them() {
    let text = "visitor,time,variation\nada,yesterday,a\n,2026-11-22T09:30:00Z,a\nbob,2026-11-22 09:30:00 UTC,b\ncleo,2026-11-22T09:30:00Z\n";

    let read = exposures(text);

    assert_eq!(read.rows.len(), 1);
    let told: Vec<_> = read.faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "line 2: `yesterday` in `time` is not a moment, such as 2026-11-22T09:30:00Z or 1795339800000",
            "line 3: `visitor` is empty",
            "line 5: the line has 2 values, and the first line 3 names",
        ]
    );
}

#[test]
fn a_column_that_is_missing_is_named_with_those_that_are_there() {
    let missing =
        read_rows::<EventRow>("user,time,name\n", RowFormat::Csv, &ColumnNames::default());

    let detail = "there is no column `visitor`, only `user`, `time`, `name`";
    assert_eq!(missing.unwrap_err().to_string(), format!("line 1: {detail}"));
}

#[test]
fn of_many_wrong_rows_the_first_are_told() {
    let text = format!("visitor,time,variation\n{}", "ada,never,a\n".repeat(100));

    let read = exposures(&text);

    assert_eq!((read.faults.len(), read.faulty), (20, 100));
}

proptest! {
    #[test]
    fn no_text_breaks_it(text in ".{0,120}", lines in "[a-z,;\"\n0-9{}:.-]{0,160}") {
        for format in [RowFormat::Csv, RowFormat::Ndjson] {
            let _ = read_rows::<EventRow>(&text, format, &ColumnNames::default());
            let _ = read_rows::<ExposureRow>(&format!("visitor,time,variation\n{lines}"), format, &ColumnNames::default());
        }
    }
}
