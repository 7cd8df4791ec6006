const COMPUTE = "use an expression, in a node of the component compute or if";
const FILTER = "use a node of the component filter";
const SORT = "use a node of the component sort";
const GROUP = "use a node of the component aggregate with group_by";
const CRYPTO = "use a node of the component crypto";
const CODE = "use a node of the component code";

/** What to write, and the names that CEL, other languages and other products have for it, in lower case. */
const OTHER_NAMES: readonly (readonly [hint: string, names: string])[] = [
	["write | length", "size count len"],
	["write | upper", "touppercase uppercase upcase upperascii"],
	["write | lower", "tolowercase lowercase downcase lowerascii"],
	["write | trim", "strip"],
	["write | json", "tojson to_json tojsonstring jsonify stringify json_encode"],
	["write | parse_json", "fromjson from_json json_decode"],
	["write | text", "string str tostring to_string"],
	["write | number", "int integer float double tonumber to_number tonum to_i"],
	["write | html", "escape e escape_html htmlescape"],
	["write | url", "urlencode url_encode encodeuricomponent"],
	["write | base64", "b64encode base64encode base64_encode"],
	["write | from_base64", "b64decode base64decode base64_decode frombase64 atob"],
	["write | unique", "uniq distinct removeduplicates"],
	["write | slice(from, to)", "substring substr truncate take limit"],
	["write | replace(a, b)", "replaceall replace_all"],
	["write | join(sep)", "concat"],
	["write | date(format)", "strftime date_format format_date formatdate todatetime"],
	["write | entries", "items to_entries toentries dictsort"],
	['write | entries | pluck("value")', "values"],
	["write | default(x)", "orvalue or else orelse coalesce fallback ifempty d"],
	['for one field of each element, write | pluck("name"); for more, use a node of the component map', "map"],
	[FILTER, "filter where select reject"],
	[SORT, "sort sort_by sortby reverse"],
	[GROUP, "group_by groupby"],
	["use a node of the component merge", "merge flatten"],
	[CRYPTO, "md5 sha1 sha512 hmac"],
	[CODE, "capitalize title"],
	[COMPUTE, "contains startswith endswith indexof matches match test in exists all any not if ternary"],
	[COMPUTE, "plus minus times add sub mul div divided_by modulo abs ceil floor avg average"],
];

const HINTS: ReadonlyMap<string, string> = new Map(
	OTHER_NAMES.flatMap(([hint, names]) => names.split(" ").map((name) => [name, hint])),
);

/** What does here what a filter of this name does elsewhere. */
export const hintAtOtherName = (name: string): string | undefined => HINTS.get(name.toLowerCase());
