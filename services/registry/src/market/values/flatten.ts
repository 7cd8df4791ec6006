import { choice } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { anything, params } from "../schema.ts";

export const flatten = code({
	id: "flatten",
	title: "Flatten, unflatten",
	description: `Turns nested data into one object whose names are paths, and back: \`{"user": {"tags": ["a"]}}\` becomes \`{"user.tags[0]": "a"}\`.

Use it to make rows for \`csv_write\` or a spreadsheet out of what an API answers, and to make nested data of form fields. Dots, brackets and backslashes in names are written with a backslash in front, so that unflattening gives back exactly what was flattened; empty objects and lists stay as they are.`,
	tags: ["json", "table", "convert"],
	params: params(
		{
			operation: choice(["flatten", "unflatten"], "Which way", { default: "flatten" }),
			value: { type: "object", description: "flatten: nested data; unflatten: values by path" },
		},
		["value"],
	),
	output: anything("An object; of unflatten a list if all paths begin with [0]"),
	code: String.raw`
const MOST_DEEP = 60;
const NAME = /([^\\.[\]]*(?:\\[\s\S][^\\.[\]]*)*)/y;
const PLACE = /\[(\d{1,6})\]/y;
const DOT_NAME = /\.([^\\.[\]]*(?:\\[\s\S][^\\.[\]]*)*)/y;
return input.operation === "flatten" ? flattened(input.value) : unflattened(input.value);

function flattened(whole) {
	const flat = Object.create(null);
	const open = [["", whole]];
	while (open.length > 0) {
		const [path, value] = open.pop();
		const parts = partsOf(value);
		if (parts.length === 0 || value === null || typeof value !== "object") {
			if (path !== "") flat[path] = value;
			continue;
		}
		for (const [name, inner] of parts.reverse()) {
			open.push([Array.isArray(value) ? path + "[" + name + "]" : joined(path, name), inner]);
		}
	}
	return flat;
}

function partsOf(value) {
	return value !== null && typeof value === "object" ? Object.entries(value) : [];
}

function joined(path, name) {
	const escaped = name.replace(/[\\.[\]]/g, "\\$&");
	// A name of no characters still needs to be seen.
	return path === "" && name !== "" ? escaped : path + "." + escaped;
}

function unflattened(flat) {
	const root = { children: new Map() };
	for (const [path, value] of Object.entries(flat)) place(root, path, value);
	return built(root, "");
}

function place(root, path, value) {
	const steps = stepsOf(path);
	if (steps.length > MOST_DEEP) throw new Error(shown(path) + " is deeper than " + MOST_DEEP + " levels");
	let node = root;
	for (const { name, isPlace } of steps) {
		if (node.isLeaf) throw new Error(shown(path) + ": a part of this path already has a value");
		if (node.isList !== undefined && node.isList !== isPlace) {
			throw new Error(shown(path) + ": a part of this path is a list and an object at once");
		}
		node.isList = isPlace;
		if (!node.children.has(name)) node.children.set(name, { children: new Map() });
		node = node.children.get(name);
	}
	if (node.children.size > 0 || node.isLeaf) throw new Error(shown(path) + ": something is below this value");
	node.isLeaf = true;
	node.value = value;
}

function stepsOf(path) {
	const steps = [];
	let at = 0;
	while (at < path.length || steps.length === 0) {
		const step = path[at] === "[" ? PLACE : at === 0 && path[0] !== "." ? NAME : DOT_NAME;
		step.lastIndex = at;
		const found = step.exec(path);
		if (found === null) throw new Error(shown(path) + " is no path such as a.b[0]");
		const isPlace = path[at] === "[";
		steps.push({ name: isPlace ? Number(found[1]) : found[1].replace(/\\([\s\S])/g, "$1"), isPlace });
		at += found[0].length;
	}
	return steps;
}

function built(node, path) {
	if (node.isLeaf) return node.value;
	if (node.isList) {
		return Array.from({ length: node.children.size }, (none, place) => {
			const inner = path + "[" + place + "]";
			if (!node.children.has(place)) throw new Error(inner + " is missing: lists have no gaps");
			return built(node.children.get(place), inner);
		});
	}
	const object = Object.create(null);
	for (const [name, inner] of node.children) object[name] = built(inner, joined(path, name));
	return object;
}

function shown(path) {
	return JSON.stringify(path.length > 80 ? path.slice(0, 80).toWellFormed() + "…" : path);
}
`,
	examples: [
		{
			title: "Nested data as one row",
			params: {
				value: { id: 7, user: { name: "Ada", "e.mail": "a@b.example" }, tags: ["x", "y"], none: [] },
			},
			output: {
				id: 7,
				"user.name": "Ada",
				"user.e\\.mail": "a@b.example",
				"tags[0]": "x",
				"tags[1]": "y",
				none: [],
			},
		},
		{
			title: "And back",
			params: {
				operation: "unflatten",
				value: { "items[0].sku": "tea", "items[1].sku": "cup", "ship.to": "Bonn" },
			},
			output: { items: [{ sku: "tea" }, { sku: "cup" }], ship: { to: "Bonn" } },
		},
		{
			title: "A gap in a list",
			params: { operation: "unflatten", value: { "items[1]": "cup" } },
			error: "items[0] is missing: lists have no gaps",
		},
	],
});
