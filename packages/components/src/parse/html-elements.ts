const list = (names: string): ReadonlySet<string> => new Set(names.split(" "));
const without = (names: ReadonlySet<string>, others: readonly string[]): ReadonlySet<string> =>
	new Set([...names].filter((name) => !others.includes(name)));

/** Elements that begin and end a line. */
export const BLOCKS = list(
	"address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol optgroup option p pre search section select summary table tbody textarea tfoot thead tr ul",
);

/** Elements without content and end tag. */
export const VOID = list(
	"area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);

/** Elements whose content is no visible text of an element around them. */
export const HIDDEN = list("iframe noembed noframes noscript script style template title");

/** Elements that a page may have before its body begins. */
export const HEAD_CONTENT = list(
	"base basefont bgsound link meta noframes noscript script style template title",
);

/** Elements whose start tag ends a paragraph. */
export const ENDS_PARAGRAPH = list(
	"address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp",
);

/** The end tag of any other element does not close these. */
export const SPECIAL = list(
	"address applet article aside blockquote body button caption center colgroup dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing main marquee menu nav noembed noframes noscript object ol p plaintext pre script search section select style summary table tbody td template textarea tfoot th thead title tr ul xmp",
);

/** The start tag of a list item does not close an item beyond these. */
export const ITEM_SCOPE = without(SPECIAL, ["address", "div", "p"]);

/** An end tag closes nothing beyond these. */
export const SCOPE = list("applet caption html marquee object table td template th");
export const LIST_SCOPE: ReadonlySet<string> = new Set([...SCOPE, "ol", "ul"]);
export const PARAGRAPH_SCOPE: ReadonlySet<string> = new Set([...SCOPE, "button"]);
export const TABLE_SCOPE = list("html table template");

/** Inline elements that their end tag ends even while blocks inside them are open. */
export const FORMATTING = list("a b big code em font i nobr s small strike strong tt u");

export const TABLE_PARTS = list("caption col colgroup tbody td tfoot th thead tr");
export const HEADINGS = list("h1 h2 h3 h4 h5 h6");
export const RUBY_PARTS = list("rb rp rt rtc");

/** What may contain each part of a table. */
export const TABLE_PARENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
	...["caption", "colgroup", "tbody", "tfoot", "thead"].map((name) => [name, list("table")] as const),
	["col", list("colgroup table")],
	["tr", list("tbody tfoot thead table")],
	["td", list("tr tbody tfoot thead table")],
	["th", list("tr tbody tfoot thead table")],
]);
