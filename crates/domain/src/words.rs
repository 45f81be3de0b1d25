//! Closed sets of words: enums in which each value is one word of the document.
//!
//! [`words!`] writes the enum, its list of words and its serialization, so that reading, writing
//! and "did you mean" all use the same spelling. The decoder's side is `document/scalars.rs`.

/// An enum in which each value is one word of the document.
pub(crate) trait Word: Copy + 'static {
    /// Every value, in the order in which messages list them.
    const ALL: &'static [Self];

    /// How the document spells this value.
    fn word(self) -> &'static str;
}

/// Declares a closed set of words.
macro_rules! words {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$note:meta])* $value:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$note])* $value,)+
        }

        impl $name {
            /// How the document spells this value.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }
        }

        impl $crate::words::Word for $name {
            const ALL: &'static [Self] = &[$(Self::$value,)+];

            fn word(self) -> &'static str {
                Self::word(self)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.word())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    };
}

pub(crate) use words;
