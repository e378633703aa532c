//! Everything drawn is on the paper, and is plain SVG.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use engine::Sight;
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Group, Node, Options, Tree};

use crate::moments;
use crate::picture::{HEIGHT, Scene, Theme, WIDTH, svg};

/// Shapes may be drawn; nothing may be loaded, run, or styled from elsewhere.
const ELEMENTS: [&str; 6] = ["svg", "title", "desc", "g", "path", "text"];

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for file in ["Inter-Medium.otf", "Inter-Bold.otf"] {
        fonts.load_font_data(fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fonts").join(file)).unwrap());
    }
    Arc::new(fonts)
});

/// Reads a picture as a renderer does.
fn read(svg: &str) -> Tree {
    let options = Options { fontdb: FONTS.clone(), font_family: "Inter".to_owned(), ..Options::default() };
    Tree::from_str(svg, &options).unwrap_or_else(|error| panic!("{error}: {svg}"))
}

fn boxes(group: &Group, out: &mut Vec<(String, [i32; 4])>) {
    for node in group.children() {
        if let Node::Group(group) = node {
            boxes(group, out);
            continue;
        }
        let bounds = node.abs_stroke_bounding_box();
        let edges = [bounds.left().floor(), bounds.top().floor(), bounds.right().ceil(), bounds.bottom().ceil()];
        let what = match node {
            Node::Text(text) => text.chunks().iter().map(|chunk| chunk.text()).collect(),
            _ => "a path".to_owned(),
        };
        out.push((what, edges.map(|edge| edge as i32)));
    }
}

/// Checks that everything is on the paper, and that the markup is ours.
pub(crate) fn holds(scene: &Scene, theme: Theme) {
    let drawn = svg(scene, theme);
    let markup = resvg::usvg::roxmltree::Document::parse(&drawn).unwrap_or_else(|error| panic!("{error}: {drawn}"));
    for element in markup.descendants().filter(|node| node.is_element()) {
        assert!(ELEMENTS.contains(&element.tag_name().name()), "{:?} in {drawn}", element.tag_name());
        for attribute in element.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(!name.starts_with("on") && !name.contains("href") && !value.contains("url("), "{name}={value}");
        }
    }
    let mut found = Vec::new();
    boxes(read(&drawn).root(), &mut found);
    assert!(found.len() > 8, "{drawn}");
    for (what, [left, top, right, bottom]) in found {
        let inside = left >= 0 && top >= 0 && right <= WIDTH && bottom <= HEIGHT;
        assert!(inside, "{what} reaches from {left},{top} to {right},{bottom}");
    }
}

#[test]
fn states_of_every_ruleset_stand_on_the_paper() {
    for game in fs::read_dir(moments::matches()).unwrap() {
        for ruleset in fs::read_dir(game.unwrap().path()).unwrap() {
            let mut files: Vec<_> =
                fs::read_dir(ruleset.unwrap().path()).unwrap().map(|file| file.unwrap().path()).collect();
            files.sort();
            let file = files[files.len() / 2].strip_prefix(moments::matches()).unwrap().to_owned();
            for steps in [0, 1, 5, 9, 13, 19, 33, 400] {
                let theme = Theme::ALL[steps % 2];
                let sight = if steps % 4 == 1 { Sight::Everything } else { Sight::Public };
                holds(&moments::seen(file.to_str().unwrap(), steps, sight), theme);
            }
        }
    }
}

#[test]
fn the_same_scene_gives_the_same_picture() {
    let scene = moments::after("devils-deal/blooming-genius/no-ante-6-p1-omalley-bastion", 12);
    let [light, dark] = Theme::ALL.map(|theme| svg(&scene, theme));
    assert_eq!(light, svg(&scene, Theme::Light));
    assert_ne!(light, dark);
}
