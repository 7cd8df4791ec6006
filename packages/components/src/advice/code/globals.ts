/** The global names of the sandbox. */
export const GLOBALS: ReadonlySet<string> = new Set(
	`Object Function Error EvalError RangeError ReferenceError SyntaxError TypeError URIError InternalError AggregateError
	SuppressedError Iterator Array parseInt parseFloat isNaN isFinite queueMicrotask decodeURI decodeURIComponent encodeURI
	encodeURIComponent escape unescape Infinity NaN undefined eval Number Boolean String Math Reflect Symbol DisposableStack
	globalThis BigInt Date RegExp JSON Proxy Map Set WeakMap WeakSet ArrayBuffer SharedArrayBuffer Uint8ClampedArray
	Int8Array Uint8Array Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array
	Float32Array Float64Array DataView Promise AsyncDisposableStack WeakRef FinalizationRegistry DOMException btoa atob
	console arguments`.split(/\s+/),
);

const request =
	"Code has no network: use an `http_request` node before this one, and pass its data in `input`";
const modules = "There are no modules: write what you need in the code, or use a component";
const timers = "There are no timers: use a `wait` node before or after";
const system = "The code sees only `input`: pass what it needs there";
const items = 'The code\'s data is `input`: pass values there, such as input: { orders: "{{input.orders}}" }';
const reference = "Pass it in the node's `input`, where templates work, and read it as input.…";

/** What to do instead of names that exist elsewhere. */
export const GLOBAL_HINTS: Readonly<Record<string, string>> = {
	fetch: request,
	axios: request,
	XMLHttpRequest: request,
	WebSocket: request,
	http: "Only installed components have `http`: use an `http_request` node before this one, and pass its data in `input`",
	requests: request,
	require: modules,
	module: "Return the output: return { … }",
	exports: "Return the output: return { … }",
	_: modules,
	lodash: modules,
	moment: "Use a `datetime` node, or Date",
	dayjs: "Use a `datetime` node, or Date",
	DateTime: "Use a `datetime` node, or Date",
	luxon: "Use a `datetime` node, or Date",
	process: system,
	Deno: system,
	Bun: system,
	fs: system,
	env: system,
	window: system,
	document: "There is no page: use `parse` with format: html to read one",
	localStorage: "The code keeps no state: use `kb_upsert` and `kb_get`",
	setTimeout: timers,
	setInterval: timers,
	setImmediate: timers,
	clearTimeout: timers,
	clearInterval: timers,
	sleep: timers,
	crypto: "Use a `crypto` node",
	Buffer: "Use btoa and atob for base64, Uint8Array for bytes",
	TextEncoder: "Use Uint8Array, or encodeURIComponent for UTF-8",
	TextDecoder: "Use Uint8Array, or decodeURIComponent for UTF-8",
	URL: "Use encodeURIComponent, or the filter url in a template",
	URLSearchParams: "Use encodeURIComponent, or the parameter query of `http_request`",
	Intl: "Use a `datetime` node for time zones; there are no locales",
	performance: "Use Date.now(), which stands still while code computes",
	structuredClone: "Use JSON.parse(JSON.stringify(value))",
	alert: "Use console.log, which adds a line to the node's trace",
	$json: items,
	$input: items,
	$node: items,
	$items: items,
	$: items,
	items: items,
	item: items,
	inputs: items,
	data: items,
	event: items,
	context: reference,
	workflow: reference,
	execution: reference,
	nodes: reference,
	credential: "Code cannot read secrets: use `http_request` with the node's setting credential",
	steps: reference,
	print: "Use console.log, which adds a line to the node's trace",
	None: "This is JavaScript: use null",
	True: "This is JavaScript: use true",
	False: "This is JavaScript: use false",
	len: "This is JavaScript: use .length",
	str: "This is JavaScript: use String(x)",
	int: "This is JavaScript: use Math.trunc(Number(x))",
	float: "This is JavaScript: use Number(x)",
	range: "This is JavaScript: use Array.from({ length: n }, (_, i) => i)",
	dict: "This is JavaScript: use an object, { }",
	json: "This is JavaScript: use JSON.parse and JSON.stringify",
};
