import { choice, flag, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, params } from "../schema.ts";

export const versionCompare = code({
	id: "version_compare",
	title: "Compare versions",
	description: `Compares two versions by Semantic Versioning 2.0 and says how large the step between them is: \`major\`, \`minor\`, \`patch\`, \`prerelease\` or \`none\`.

Use it to be told of new releases, and to tell a harmless update from one that may break things. A \`v\` in front does not matter, missing parts are zero (\`2.1\` is \`2.1.0\`), build data after \`+\` does not count.`,
	tags: ["version", "release", "compare"],
	params: params(
		{
			current: text("The version in use", { maxLength: 256 }),
			other: text("The version to compare with", { maxLength: 256 }),
		},
		["current", "other"],
	),
	output: object(
		{
			is_newer: flag("Whether other is newer"),
			is_older: flag("Whether other is older"),
			step: choice(["major", "minor", "patch", "prerelease", "none"], "The first part that differs"),
			other_is_prerelease: flag("Whether other is a version before a release, such as 2.0.0-beta.1"),
		},
		"How other stands to current",
	),
	code: String.raw`
const VERSION = /^v?(0|[1-9]\d{0,14})(?:\.(0|[1-9]\d{0,14}))?(?:\.(0|[1-9]\d{0,14}))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
const STEPS = ["major", "minor", "patch"];
const current = read("current");
const other = read("other");
const place = [0, 1, 2].find((part) => current.numbers[part] !== other.numbers[part]);
const order = place === undefined ? prereleaseOrder() : Math.sign(other.numbers[place] - current.numbers[place]);
return {
	is_newer: order > 0,
	is_older: order < 0,
	step: place !== undefined ? STEPS[place] : order === 0 ? "none" : "prerelease",
	other_is_prerelease: other.prerelease !== null,
};

function read(name) {
	const found = VERSION.exec(input[name].trim());
	const prerelease = found?.[4]?.split(".") ?? null;
	if (found === null || prerelease?.includes("") || prerelease?.some((part) => /^0\d+$/.test(part))) {
		throw new Error(name + " is " + JSON.stringify(input[name]) + ", which is no version such as 1.4.0 or 2.0.0-beta.1");
	}
	return { numbers: [1, 2, 3].map((part) => Number(found[part] ?? 0)), prerelease };
}

/** A release comes after what was before it; then part by part, numbers before words. */
function prereleaseOrder() {
	const [a, b] = [current.prerelease, other.prerelease];
	if (a === null || b === null) return a === b ? 0 : b === null ? 1 : -1;
	for (let part = 0; part < Math.max(a.length, b.length); part++) {
		if (a[part] === b[part]) continue;
		if (a[part] === undefined) return 1;
		if (b[part] === undefined) return -1;
		const [left, right] = [/^\d+$/.test(a[part]), /^\d+$/.test(b[part])];
		if (left !== right) return left ? 1 : -1;
		if (left) return a[part].length - b[part].length !== 0 ? Math.sign(b[part].length - a[part].length) : b[part] > a[part] ? 1 : -1;
		return b[part] > a[part] ? 1 : -1;
	}
	return 0;
}
`,
	examples: [
		{
			title: "A harmless update",
			params: { current: "v1.9.3", other: "1.10" },
			output: { is_newer: true, is_older: false, step: "minor", other_is_prerelease: false },
		},
		{
			title: "A version before a release is older than the release",
			params: { current: "2.0.0", other: "2.0.0-rc.1+build.7" },
			output: { is_newer: false, is_older: true, step: "prerelease", other_is_prerelease: true },
		},
		{
			title: "Not a version",
			params: { current: "1.0.0", other: "latest" },
			error: 'other is "latest", which is no version such as 1.4.0 or 2.0.0-beta.1',
		},
	],
});
