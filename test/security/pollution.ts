/** The property that every object would get from a polluted prototype. */
export const POLLUTION = "polluted";

const KEYS = ["__proto__", "constructor", "prototype"];
const SPELLINGS: readonly string[] = [
	`"__proto__":{"${POLLUTION}":"yes"}`,
	`"constructor":{"prototype":{"${POLLUTION}":"yes"}}`,
	`"prototype":{"${POLLUTION}":"yes"}`,
	`"__proto__":[]`,
	`"__proto__":null`,
];

type Path = readonly string[];

/** The body as JSON with a hostile key in each object, and with each key and text in turn replaced by one. */
export function buildPollutedTexts(body: object): string[] {
	const added = collectPlaces(body).flatMap(({ path, value }) =>
		isObject(value) ? SPELLINGS.map((spelling) => renderWith(body, path, [], spelling)) : [],
	);
	const renamed = collectPlaces(body).flatMap(({ path }) =>
		path.length === 0 ? [] : KEYS.map((key) => renderWith(body, path, [key])),
	);
	const texts = listPlaces(body).flatMap(({ replaced }) => KEYS.map((key) => JSON.stringify(replaced(key))));
	return [...new Set([...added, ...renamed, ...texts])];
}

/** Every text and object key in a value, with a function that replaces it. */
export function listPlaces(template: object): { path: string; replaced: (text: string) => unknown }[] {
	return collectPlaces(template).flatMap(({ path, value }) => {
		const shown = path.join(".");
		const isText = typeof value === "string";
		const isKey = path.length > 0 && !/^\d+$/.test(path.at(-1) ?? "");
		return [
			...(isText ? [{ path: shown, replaced: (text: string) => replaceValue(template, path, text) }] : []),
			...(isKey
				? [{ path: `key ${shown}`, replaced: (key: string) => JSON.parse(renderWith(template, path, [key])) }]
				: []),
		];
	});
}

function collectPlaces(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
	const descend =
		typeof value === "object" && value !== null
			? Object.entries(value).flatMap(([key, inner]) => collectPlaces(inner, [...path, key]))
			: [];
	return [{ path, value }, ...descend];
}

function replaceValue(value: unknown, [first, ...rest]: Path, text: string): unknown {
	if (first === undefined) return text;
	if (Array.isArray(value)) {
		return value.map((inner, index) => (String(index) === first ? replaceValue(inner, rest, text) : inner));
	}
	const entries = Object.entries(value as object);
	return Object.fromEntries(
		entries.map(([key, inner]) => [key, key === first ? replaceValue(inner, rest, text) : inner]),
	);
}

/** JSON with the key at `path` renamed, or `more` added there. Text, because `__proto__` is a plain key only in JSON. */
function renderWith(value: unknown, path: Path | null, [key]: readonly string[], more?: string): string {
	if (Array.isArray(value)) {
		const items = value.map((inner, index) =>
			renderWith(inner, descend(path, String(index)), [key ?? ""], more),
		);
		return `[${items.join(",")}]`;
	}
	if (!isObject(value)) return JSON.stringify(value);
	const fields = Object.entries(value).map(([name, inner]) => {
		const isHere = path?.length === 1 && path[0] === name && more === undefined;
		const written = isHere ? (key ?? name) : name;
		return `${JSON.stringify(written)}:${renderWith(inner, descend(path, name), [key ?? ""], more)}`;
	});
	if (path?.length === 0 && more !== undefined) fields.unshift(more);
	return `{${fields.join(",")}}`;
}

const descend = (path: Path | null, name: string): Path | null => (path?.[0] === name ? path.slice(1) : null);

const isObject = (value: unknown): value is object =>
	typeof value === "object" && value !== null && !Array.isArray(value);
