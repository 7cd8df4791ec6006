import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { type ConsentModel, consentPage } from "../../src/pages/consent.ts";
import { type Element, parseElements, toSkeleton } from "./markup.ts";

const model: ConsentModel = {
	clientName: "Claude",
	clientHost: null,
	isConsole: false,
	redirectHost: "claude.ai",
	namespace: "default",
	hidden: { client_id: "abc", state: "xyz" },
	problem: null,
	days: 30,
};

const renderElements = (changes: Partial<ConsentModel> = {}): Element[] =>
	parseElements(consentPage({ ...model, ...changes }).html);
const findElement = (elements: readonly Element[], tag: string): Element => {
	const element = elements.find((each) => each.tag === tag);
	assert.ok(element, `no ${tag}`);
	return element;
};
const findField = (elements: readonly Element[], name: string): Element | undefined =>
	elements.find(({ tag, attributes }) => tag === "input" && attributes.get("name") === name);

test("shows the client, the redirect host, the namespace, the lifetime and the permissions", () => {
	const text = joinTexts(renderElements());
	for (const said of [
		"Claude wants access to Tripline",
		"Redirects to claude.ai",
		"Namespace default",
		"Access expires in 30 days",
		"Read, change and run workflows",
		"Read and write knowledge",
		"Store and replace credentials, install components",
		"It cannot read the values of credentials",
		"Close this page to deny access.",
		"data/keys/owner.secret",
		"MCP_OWNER_SECRET",
	]) {
		assert.ok(text.includes(said), said);
	}
});

test("shows a login page without an application for the console itself", () => {
	const elements = renderElements({
		clientName: "Tripline console",
		redirectHost: "localhost:8484",
		isConsole: true,
	});
	assert.equal(findElement(elements, "h1").text, "Log in to Tripline");
	assert.equal(findElement(elements, "title").text, "Log in to Tripline");
	assert.equal(findElement(elements, "button").text, "Log in");
	assert.doesNotMatch(joinTexts(elements), /wants access|application/);
});

const joinTexts = (elements: readonly Element[]): string =>
	elements
		.map(({ text }) => text.trim())
		.filter((text) => text !== "")
		.join(" ");

test("client texts cannot add elements or attributes", () => {
	const hostile = fc.oneof(
		fc.string({ unit: anyCharacter, maxLength: 300 }),
		fc.stringMatching(/^[<>"'&=/ a-z\n\0-]{0,60}$/),
		fc.constantFrom(
			'"><script>alert(1)</script>',
			"</title><img src=x onerror=x>",
			"</style><b>",
			"<!--",
			"&lt;",
		),
	);
	const plain = toSkeleton(renderElements({ clientHost: "h", problem: "p" }));
	fc.assert(
		fc.property(hostile, hostile, hostile, hostile, hostile, (name, host, redirect, state, problem) => {
			const elements = renderElements({
				clientName: name,
				clientHost: host,
				redirectHost: `x${redirect}`,
				namespace: name,
				hidden: { client_id: state, state },
				problem,
			});
			assert.deepEqual(toSkeleton(elements), plain);
			assert.equal(findField(elements, "state")?.attributes.get("value"), state);
		}),
		{ numRuns: 200 },
	);
});

test("cuts a name to 80 characters with an ellipsis", () => {
	const { text } = findElement(renderElements({ clientName: "W".repeat(10_000) }), "bdi");
	assert.equal(text, `${"W".repeat(79)}…`);
});

test("a name cannot change the text direction, break the line or contain invisible characters", () => {
	const name = "\u202Egro.live\u2066\u200B\n\r\0\u0007\u2028Claude\u{E0041}";
	assert.equal(findElement(renderElements({ clientName: name }), "bdi").text, "gro.live Claude");
});

test("limits combining marks on a letter", () => {
	const { text } = findElement(renderElements({ clientName: `A${"\u0301".repeat(70)}` }), "bdi");
	assert.equal(text.length, 4);
});

test("replaces a name without visible characters", () => {
	for (const clientName of [null, "", " \u200B\n"]) {
		assert.equal(findElement(renderElements({ clientName }), "bdi").text, "An application");
	}
});

test("cuts a long host at its beginning", () => {
	const text = joinTexts(renderElements({ redirectHost: `claude.ai.${"a".repeat(300)}.evil.example` }));
	assert.match(text, /Redirects to …a+\.evil\.example Namespace/);
});

test("says whether the name was verified", () => {
	assert.match(joinTexts(renderElements()), /The application chose this name itself/);
	assert.match(
		joinTexts(renderElements({ clientHost: "claude.ai" })),
		/Verified: this application belongs to claude\.ai/,
	);
});

test("does not verify a program on the same machine by a vendor's document", () => {
	for (const redirectHost of ["localhost:3000", "127.0.0.1", "[::1]:8787"]) {
		const text = joinTexts(renderElements({ clientHost: "claude.ai", redirectHost }));
		assert.doesNotMatch(text, /Verified/);
		assert.match(text, /as any program on your machine could/);
		assert.match(text, /on your machine Namespace/);
	}
});

test("shows the lifetime in the largest whole unit", () => {
	const times = { 365: "365 days", 30: "30 days", 1.5: "1.5 days", 1: "1 day" };
	for (const [days, said] of Object.entries(times)) {
		assert.ok(
			joinTexts(renderElements({ days: Number(days) })).includes(`Access expires in ${said} The`),
			said,
		);
	}
	assert.match(joinTexts(renderElements({ days: 0.5 })), /Access expires in 12 hours/);
	assert.match(joinTexts(renderElements({ days: 1 / 24 })), /Access expires in 1 hour The/);
	assert.match(joinTexts(renderElements({ days: 45 / 1440 })), /Access expires in 45 minutes/);
	assert.match(joinTexts(renderElements({ days: 60 / 86_400 })), /Access expires in 1 minute The/);
});

test("the form posts the secret and the fields of the request to /authorize, and nothing else", () => {
	const elements = renderElements();
	const { attributes } = findElement(elements, "form");
	assert.equal(attributes.get("method"), "post");
	assert.equal(attributes.get("action"), "/authorize");
	const named = elements.filter((element) => element.attributes.has("name") && element.tag === "input");
	assert.deepEqual(
		named.map((element) => element.attributes.get("name")),
		["client_id", "state", "owner_secret"],
	);
	assert.equal(findField(elements, "state")?.attributes.get("type"), "hidden");
	assert.equal(findElement(elements, "button").text, "Allow access");
});

test("the secret's field has a label, the focus and what a password manager needs", () => {
	const elements = renderElements();
	const secret = findField(elements, "owner_secret");
	assert.ok(secret);
	assert.equal(findElement(elements, "label").attributes.get("for"), secret.attributes.get("id"));
	assert.equal(secret.attributes.get("type"), "password");
	assert.equal(secret.attributes.get("autocomplete"), "current-password");
	assert.ok(secret.attributes.has("required") && secret.attributes.has("autofocus"));
	assert.ok(!secret.attributes.has("aria-invalid") && !secret.attributes.has("value"));
});

test("an error is announced, linked to the field and in the title", () => {
	const elements = renderElements({ problem: "The owner secret is wrong." });
	const alert = elements.find(({ attributes }) => attributes.get("role") === "alert");
	assert.equal(alert?.text, "The owner secret is wrong.");
	const secret = findField(elements, "owner_secret");
	assert.equal(secret?.attributes.get("aria-describedby"), alert?.attributes.get("id"));
	assert.equal(secret?.attributes.get("aria-invalid"), "true");
	assert.match(findElement(elements, "title").text, /^Error: The owner secret is wrong\./);
	assert.doesNotMatch(findElement(renderElements(), "title").text, /Error/);
});

test("ids are unique, and every reference to an id resolves", () => {
	const elements = renderElements({ problem: "x" });
	const ids = elements.flatMap(({ attributes }) => attributes.get("id") ?? []);
	assert.equal(new Set(ids).size, ids.length);
	for (const { attributes } of elements) {
		for (const name of ["for", "aria-labelledby", "aria-describedby"]) {
			const id = attributes.get(name);
			assert.ok(id === undefined || ids.includes(id), `${name}=${id}`);
		}
	}
});
