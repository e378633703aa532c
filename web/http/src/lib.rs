//! What every answer of this site needs of HTTP, whether it is a page, JSON or a file: errors, tags for caches, the
//! parts of an address, and the address of the site. Nothing here knows HTML.

mod etag;
mod problem;
mod refusals;
mod segments;
mod site;
mod view_params;
pub mod visitor;
mod waited;

pub use etag::accepts_gzip;
pub use etag::{Answer, fresh, is_known};
pub use problem::PendingProblem;
pub use problem::{ErrorKind, Problem};
pub use segments::Segments;
pub use site::{SiteAddress, SiteAddressError, is_https, site};
pub use view_params::{Spoilers, ViewParams};
pub use waited::Waited;
