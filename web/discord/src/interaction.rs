//! The data that Discord sends: an interaction, as far as it is used here
//! (<https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object>).

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use app::account::Snowflake;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

pub(super) const PING: u8 = 1;
/// Somebody gave a command.
pub(super) const COMMAND: u8 = 2;
/// Somebody pressed a button.
pub(super) const PRESS: u8 = 3;
/// Somebody is typing one.
pub(super) const AUTOCOMPLETE: u8 = 4;

/// A JSON object from Discord. serde would also accept an array of the fields in order of their declaration; Discord
/// never sends one, so it is refused.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Object<T>(T);

impl<T> Deref for Object<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(fields))
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData)).map(Self)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Kind {
    #[serde(rename = "type")]
    pub(super) kind: u8,
}

#[derive(Debug, Deserialize)]
pub(super) struct Interaction {
    #[serde(rename = "type")]
    kind: u8,
    /// Its id, which contains Discord's own clock.
    pub(super) id: Snowflake,
    pub(super) token: Token,
    pub(super) data: Object<Data>,
    channel_id: Option<Snowflake>,
    channel: Option<Object<Channel>>,
    member: Option<Object<Member>>,
    user: Option<Object<User>>,
}

/// The token for answering an interaction later. Anybody with it can answer, so it is never shown.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub(super) struct Token(String);

#[derive(Debug, Deserialize)]
pub(super) struct Data {
    #[serde(default)]
    name: String,
    custom_id: Option<String>,
    #[serde(default)]
    options: Vec<Object<Given>>,
    #[serde(default)]
    resolved: Object<Resolved>,
    target_id: Option<Snowflake>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Given {
    pub(super) name: String,
    value: Option<Value>,
    options: Option<Vec<Object<Given>>>,
    #[serde(default)]
    focused: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Resolved {
    users: BTreeMap<Snowflake, Object<User>>,
    members: BTreeMap<Snowflake, Object<MemberName>>,
    messages: BTreeMap<Snowflake, Object<Message>>,
}

#[derive(Debug, Deserialize)]
struct MemberName {
    nick: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Member {
    user: Object<User>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct User {
    pub(super) id: Snowflake,
    username: String,
    global_name: Option<String>,
    #[serde(default)]
    pub(super) bot: bool,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Channel {
    #[serde(rename = "type")]
    kind: u8,
    parent_id: Option<Snowflake>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Message {
    pub(super) id: Snowflake,
    pub(super) content: String,
    pub(super) author: Object<User>,
    pub(super) edited_timestamp: Option<String>,
}

impl Token {
    /// The token for addresses of Discord's API. Not `Display`, so that it never slips into a message.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

impl Channel {
    pub(super) fn parent(self) -> Option<Snowflake> {
        self.parent_id.filter(|_| matches!(self.kind, 10..=12))
    }
}

impl Interaction {
    pub(super) fn user(&self) -> Option<&User> {
        self.member.as_ref().map(|member| &member.user).or(self.user.as_ref()).map(|user| &**user)
    }

    pub(super) fn place(&self) -> Option<(Snowflake, Option<Snowflake>)> {
        Some((self.channel_id?, self.channel.and_then(|channel| channel.parent())))
    }

    /// The id of the button that was pressed; none for a command.
    pub(super) fn pressed(&self) -> Option<&str> {
        self.data.custom_id.as_deref().filter(|_| self.kind == PRESS)
    }

    pub(super) fn words(&self) -> (&str, &str) {
        let sub = self.data.options.iter().find(|given| given.options.is_some());
        (&self.data.name, sub.map_or("", |given| given.name.as_str()))
    }

    fn given(&self) -> &[Object<Given>] {
        let sub = self.data.options.iter().find_map(|given| given.options.as_deref());
        sub.unwrap_or(&self.data.options)
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.given().iter().find(|given| given.name == name)?.value.as_ref()
    }

    /// A text option without white space around it; none if it is empty.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.value(name)?.as_u64()
    }

    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.value(name)?.as_bool()
    }

    pub(super) fn account(&self, name: &str) -> Option<(&User, &str)> {
        let id: Snowflake = self.text(name)?.parse().ok()?;
        let user = self.data.resolved.users.get(&id)?;
        let nick = self.data.resolved.members.get(&id).and_then(|member| member.nick.as_deref());
        Some((user, nick.or(user.global_name.as_deref()).unwrap_or(&user.username)))
    }

    pub(super) fn typing(&self) -> Option<(&str, &str)> {
        let given = self.given().iter().find(|given| given.focused)?;
        Some((given.name.as_str(), given.value.as_ref().and_then(Value::as_str).unwrap_or_default()))
    }

    pub(super) fn message(&self) -> Option<&Message> {
        self.data.resolved.messages.get(&self.data.target_id?).map(|message| &**message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subcommand_has_the_options() {
        let text = r#"{"id":"175928847299117063","type":2,"token":"secret","channel_id":"7",
            "channel":{"id":"7","type":11,"parent_id":"6"},
            "member":{"user":{"id":"5","username":"ada","global_name":null},"nick":"Ada"},
            "data":{"id":"1","name":"match","type":1,"options":[{"type":1,"name":"open","options":[
                {"type":6,"name":"first","value":"9"},{"type":5,"name":"clocks","value":true},
                {"type":3,"name":"event","value":"  "},{"type":3,"name":"rules","value":" thw","focused":true}]}],
            "resolved":{"users":{"9":{"id":"9","username":"bo","global_name":"Bo"}},"members":{"9":{"nick":null}}}}}"#;
        let read: Object<Interaction> = serde_json::from_str(text).unwrap();
        assert_eq!(read.words(), ("match", "open"));
        assert_eq!(read.account("first").unwrap().1, "Bo");
        assert_eq!(
            (read.flag("clocks"), read.text("event"), read.typing()),
            (Some(true), None, Some(("rules", " thw")))
        );
        assert_eq!(read.user().unwrap().id.number(), 5);
        assert_eq!(read.place().unwrap().1, Some("6".parse().unwrap()));
        assert!(!format!("{read:?}").contains("secret"));
    }
}
