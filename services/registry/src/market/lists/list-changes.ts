import { flag, integer, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { anything, object, orNull, params } from "../schema.ts";

export const listChanges = code({
	id: "list_changes",
	title: "What changed in a list",
	description: `Compares a list with how it was before: what is new, what is gone, and, with a \`key\`, what is still there but different, and in which fields.

Use it to act only on what is new: fetch a list on a schedule, compare it with the one kept last time (null the first time), send a message for each element of \`added\`.

Without \`key\` elements are the same if they are equal as a whole; the order of names in objects does not matter. With \`key\`, elements are objects and the field says which is which: two elements with the same key in one list fail.`,
	tags: ["list", "diff", "monitoring"],
	params: params(
		{
			before: orNull(list({}, "The list as it was; null counts as empty", { maxItems: 20_000 })),
			after: list({}, "The list as it is now", { maxItems: 20_000 }),
			key: text("Name of the field that says which element is which", { minLength: 1, maxLength: 200 }),
			ignore: list({ type: "string" }, "With key: fields in which a difference does not count", {
				maxItems: 100,
			}),
		},
		["before", "after"],
	),
	output: object(
		{
			is_changed: flag("Whether there is any difference"),
			added: list({}, "Elements that are new"),
			removed: list({}, "Elements that are gone"),
			changed: list(
				object(
					{
						key: anything("The key"),
						before: anything("The element as it was"),
						after: anything("The element as it is"),
						fields: list({ type: "string" }, "Fields that differ"),
					},
					"A change",
				),
				"Elements that are still there but different; always empty without key",
			),
			unchanged: integer("How many elements are the same"),
		},
		"The differences; the order of elements does not count",
	),
	code: `
const before = input.before ?? [];
const { after, key } = input;
const ignored = new Set(input.ignore ?? []);
const result = key === undefined ? byValue() : byKey();
return {
	is_changed: result.added.length + result.removed.length + result.changed.length > 0,
	...result,
};

function byValue() {
	const left = new Map();
	for (const element of before) {
		const same = canonical(element);
		if (left.has(same)) left.get(same).push(element);
		else left.set(same, [element]);
	}
	const added = after.filter((element) => {
		const equals = left.get(canonical(element));
		if (equals === undefined || equals.length === 0) return true;
		equals.pop();
		return false;
	});
	const removed = [...left.values()].flatMap((equals) => equals);
	return { added, removed, changed: [], unchanged: after.length - added.length };
}

function byKey() {
	const old = indexed(before, "before");
	const now = indexed(after, "after");
	const changed = [];
	for (const [id, element] of now) {
		const fields = old.has(id) ? differing(old.get(id), element) : [];
		if (fields.length > 0) changed.push({ key: element[key], before: old.get(id), after: element, fields });
	}
	const added = [...now].filter(([id]) => !old.has(id)).map(([, element]) => element);
	const removed = [...old].filter(([id]) => !now.has(id)).map(([, element]) => element);
	return { added, removed, changed, unchanged: now.size - added.length - changed.length };
}

function indexed(elements, name) {
	const found = new Map();
	elements.forEach((element, place) => {
		const where = name + "[" + place + "]";
		const isObject = element !== null && typeof element === "object" && !Array.isArray(element);
		if (!isObject || !Object.hasOwn(element, key)) throw new Error(where + " has no field " + key);
		const id = canonical(element[key]);
		if (found.has(id)) throw new Error(where + ": another element has the same " + key + ", " + id);
		found.set(id, element);
	});
	return found;
}

function differing(old, now) {
	const names = new Set([...Object.keys(old), ...Object.keys(now)]);
	const valueOf = (element, name) => (Object.hasOwn(element, name) ? canonical(element[name]) : undefined);
	return [...names].filter((name) => !ignored.has(name) && valueOf(old, name) !== valueOf(now, name));
}

/** JSON with the names of objects in order. */
function canonical(value) {
	if (value === null || typeof value !== "object") return JSON.stringify(value);
	return JSON.stringify(value, (name, inner) => {
		if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
		const sorted = Object.create(null);
		for (const inside of Object.keys(inner).sort()) sorted[inside] = inner[inside];
		return sorted;
	});
}
`,
	examples: [
		{
			title: "By id",
			params: {
				before: [
					{ id: 1, price: 5, seen: "mon" },
					{ id: 2, price: 7 },
				],
				after: [
					{ id: 3, price: 1 },
					{ id: 1, price: 6, seen: "tue" },
				],
				key: "id",
				ignore: ["seen"],
			},
			output: {
				is_changed: true,
				added: [{ id: 3, price: 1 }],
				removed: [{ id: 2, price: 7 }],
				changed: [
					{
						key: 1,
						before: { id: 1, price: 5, seen: "mon" },
						after: { id: 1, price: 6, seen: "tue" },
						fields: ["price"],
					},
				],
				unchanged: 0,
			},
		},
		{
			title: "The first time",
			params: { before: null, after: ["a", "b"] },
			output: { is_changed: true, added: ["a", "b"], removed: [], changed: [], unchanged: 0 },
		},
		{
			title: "Whole values, in another order",
			params: { before: [{ a: 1, b: 2 }, 3], after: [3, { b: 2, a: 1 }] },
			output: { is_changed: false, added: [], removed: [], changed: [], unchanged: 2 },
		},
		{
			title: "Two of the same key",
			params: { before: [], after: [{ id: 1 }, { id: 1 }], key: "id" },
			error: "after[1]: another element has the same id, 1",
		},
	],
});
