//! No cycles: two files of different folders never import each other, directly or through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, UseTree, Visibility};

use super::{CRATES, root, sources};

/// A module by its path in its crate: `["book", "clock"]`; the crate's root is empty.
type Module = Vec<String>;

/// The imports of a module: their source, and whether it re-exports them under its own name.
#[derive(Default)]
struct Imports {
    used: Vec<Vec<String>>,
    handed_on: Vec<(String, Vec<String>)>,
}

impl Imports {
    fn tree(&mut self, tree: &UseTree, before: &[String], public: bool) {
        let with = |name: &dyn ToString| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&path.tree, &with(&path.ident), public),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before, public)),
            UseTree::Name(name) => self.one(name.ident.to_string(), with(&name.ident), public),
            UseTree::Rename(renamed) => self.one(renamed.rename.to_string(), with(&renamed.ident), public),
            UseTree::Glob(_) => self.one("*".into(), with(&"*"), public),
        }
    }

    fn one(&mut self, name: String, path: Vec<String>, public: bool) {
        match public {
            true => self.handed_on.push((name, path)),
            false => self.used.push(path),
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

impl<'f> Visit<'f> for Imports {
    fn visit_item_mod(&mut self, item: &'f ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'f ItemUse) {
        self.tree(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'f syn::Path) {
        if path.segments.first().is_some_and(|first| first.ident == "crate" || first.ident == "super") {
            self.used.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// The modules of a crate, each with its imports.
fn graph(crate_name: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut files: BTreeMap<Module, Imports> = BTreeMap::new();
    let base = root().join(crate_name).join("src");
    for (path, text) in sources(&format!("{crate_name}/src")) {
        let place = path.strip_prefix(&base).expect("below src").with_extension("");
        let mut module: Module = place.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|last| last == "mod" || last == "lib") {
            module.pop();
        }
        if module == ["main"] || module.iter().any(|part| part == "tests") {
            continue;
        }
        let mut imports = Imports::default();
        imports.visit_file(&syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        files.insert(module, imports);
    }
    let mut edges = BTreeMap::new();
    for (module, imports) in &files {
        let found = imports.used.iter().filter_map(|path| found(&files, module, path, 0));
        edges.insert(module.clone(), found.filter(|other| other != module).collect());
    }
    edges
}

/// The module that a path in another module names, through re-exports; none outside the crate.
fn found(files: &BTreeMap<Module, Imports>, from: &Module, path: &[String], depth: usize) -> Option<Module> {
    let mut at = from.clone();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => (at, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        child if files.contains_key(&[at.as_slice(), &[child.to_owned()]].concat()) => {}
        _ => return None,
    }
    while let Some(next) = rest.first() {
        let child = [at.as_slice(), std::slice::from_ref(next)].concat();
        if files.contains_key(&child) {
            (at, rest) = (child, &rest[1..]);
            continue;
        }
        let handed = files.get(&at)?.handed_on.iter().find(|(name, _)| name == next);
        return match handed {
            Some((_, onward)) if depth < 8 => found(files, &at, onward, depth + 1),
            _ => Some(at),
        };
    }
    Some(at)
}

/// The folder of a module: its own if it has submodules.
fn folder(edges: &BTreeMap<Module, BTreeSet<Module>>, module: &Module) -> Module {
    let has_children = edges.keys().any(|other| other.len() > module.len() && other.starts_with(module));
    match has_children {
        true => module.clone(),
        false => module[..module.len().saturating_sub(1)].to_vec(),
    }
}

/// All modules that a module reaches.
fn reached(edges: &BTreeMap<Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<Module> {
    let (mut seen, mut next) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(module) = next.pop() {
        for other in edges.get(&module).into_iter().flatten() {
            if seen.insert(other.clone()) {
                next.push(other.clone());
            }
        }
    }
    seen
}

#[test]
fn no_files_of_different_folders_import_each_other() {
    let mut circles = Vec::new();
    for crate_name in CRATES {
        let edges = graph(crate_name);
        let reach: BTreeMap<_, _> = edges.keys().map(|module| (module, reached(&edges, module))).collect();
        for (module, others) in &reach {
            let back = others.iter().filter(|other| *other > *module && reach[other].contains(*module));
            for other in back.filter(|other| folder(&edges, other) != folder(&edges, module)) {
                circles.push(format!("{crate_name}: {} and {}", module.join("::"), other.join("::")));
            }
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn every_crate_is_looked_at() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    for crate_name in CRATES {
        assert!(manifest.contains(&format!("\"{crate_name}\"")), "{crate_name} is no member of the workspace");
        assert!(graph(crate_name).len() > 1, "{crate_name} has no files");
    }
}
