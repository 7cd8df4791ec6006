import { choice, flag, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { anything, object, params } from "../schema.ts";

export const jsonDiff = code({
	id: "json_diff",
	title: "Difference of two values",
	description: `Compares two JSON values and says at which places they differ, as a JSON Patch (RFC 6902) with the old values beside the new.

Use it to tell what changed in a configuration, a record or an answer of an API, and to send only the differences on. Applying \`patch\` to \`before\` gives \`after\`. Elements of lists are compared by their place after what is equal at both ends is left out; to compare lists by a key use \`list_changes\`.`,
	tags: ["json", "diff", "monitoring"],
	params: params({ before: anything("The old value"), after: anything("The new value") }, [
		"before",
		"after",
	]),
	output: object(
		{
			changed: flag("Whether there is any difference"),
			patch: list(
				object(
					{
						op: choice(["add", "remove", "replace"], "What to do"),
						path: text("Where, as a JSON Pointer such as /items/0/name"),
						value: anything("The new value; not of remove"),
						old: anything("The old value; not of add"),
					},
					"A difference",
					["op", "path"],
				),
				"The differences, in the order in which to apply them",
			),
		},
		"The differences",
	),
	code: `
const MOST_CHANGES = 5000;
const patch = [];
const open = [["", input.before, input.after]];
while (open.length > 0) {
	const [path, old, value] = open.pop();
	if (isList(old) && isList(value)) compareLists(path, old, value);
	else if (isObject(old) && isObject(value)) compareObjects(path, old, value);
	else if (old !== value) add({ op: "replace", path, value, old });
}
return { changed: patch.length > 0, patch };

function compareObjects(path, old, value) {
	for (const name of Object.keys(old)) {
		const inner = path + "/" + name.replaceAll("~", "~0").replaceAll("/", "~1");
		if (Object.hasOwn(value, name)) open.push([inner, old[name], value[name]]);
		else add({ op: "remove", path: inner, old: old[name] });
	}
	for (const name of Object.keys(value)) {
		if (Object.hasOwn(old, name)) continue;
		add({ op: "add", path: path + "/" + name.replaceAll("~", "~0").replaceAll("/", "~1"), value: value[name] });
	}
}

/** Equal ends are left out; of the rest elements are compared by place and what is left over is added or removed. */
function compareLists(path, old, value) {
	const least = Math.min(old.length, value.length);
	const oldTexts = old.map((element) => JSON.stringify(element));
	const newTexts = value.map((element) => JSON.stringify(element));
	let start = 0;
	while (start < least && oldTexts[start] === newTexts[start]) start++;
	let end = 0;
	while (end < least - start && oldTexts[old.length - 1 - end] === newTexts[value.length - 1 - end]) end++;
	const common = least - end;
	for (let place = start; place < common; place++) open.push([path + "/" + place, old[place], value[place]]);
	for (let place = old.length - end - 1; place >= common; place--) {
		add({ op: "remove", path: path + "/" + place, old: old[place] });
	}
	for (let place = common; place < value.length - end; place++) {
		add({ op: "add", path: path + "/" + place, value: value[place] });
	}
}

function add(change) {
	if (patch.length === MOST_CHANGES) throw new Error("more than " + MOST_CHANGES + " differences; compare parts");
	patch.push(change);
}

function isList(value) {
	return Array.isArray(value);
}

function isObject(value) {
	return value !== null && typeof value === "object" && !Array.isArray(value);
}
`,
	examples: [
		{
			title: "A setting changed, one is new, one is gone",
			params: {
				before: { size: 10, lang: "en", old: true },
				after: { size: 20, lang: "en", "a/b": [1] },
			},
			output: {
				changed: true,
				patch: [
					{ op: "remove", path: "/old", old: true },
					{ op: "add", path: "/a~1b", value: [1] },
					{ op: "replace", path: "/size", value: 20, old: 10 },
				],
			},
		},
		{
			title: "An element taken out of the middle",
			params: { before: { tags: ["a", "b", "c"] }, after: { tags: ["a", "c"] } },
			output: { changed: true, patch: [{ op: "remove", path: "/tags/1", old: "b" }] },
		},
		{
			title: "Nothing changed",
			params: { before: { a: 1, b: [] }, after: { b: [], a: 1 } },
			output: { changed: false, patch: [] },
		},
	],
});
