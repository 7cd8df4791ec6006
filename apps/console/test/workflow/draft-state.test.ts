import assert from "node:assert/strict";
import { test } from "node:test";
import {
	createDraftState,
	followDetail,
	isStale,
	isToStore,
} from "../../src/pages/workflow/text/draft-state.ts";

const draft = (text: string, base: number) => ({
	...{ text, base, revision: 1, saved_at: "2026-03-01T09:00:00.000Z" },
	...{ author: "acme", client: "console", format: "yaml" as const },
});
const detail = (version: number | null, text: string, of: ReturnType<typeof draft> | null = null) => ({
	...{ text, draft: of, workflow: { version_number: version } },
});

test("starts with the draft, if there is one", () => {
	assert.equal(createDraftState(detail(1, "one"), "").text, "one");
	const drafted = createDraftState(detail(1, "one", draft("mine", 1)), "");
	assert.deepEqual([drafted.text, drafted.base, isToStore(drafted)], ["mine", 1, false]);
});

test("a new workflow starts with its example, based on no version", () => {
	const { text, base } = createDraftState(null, "example");
	assert.deepEqual([text, base], ["example", null]);
});

test("an unchanged text follows a new version and a draft saved elsewhere", () => {
	const now = createDraftState(detail(1, "one"), "");
	assert.deepEqual(
		[followDetail(now, detail(2, "two")).text, followDetail(now, detail(2, "two")).base],
		["two", 2],
	);
	const elsewhere = followDetail(now, detail(1, "one", draft("other tab", 1)));
	assert.deepEqual([elsewhere.text, isStale(elsewhere)], ["other tab", false]);
});

test("a stored draft follows its publication, and becomes stale by another version", () => {
	const now = createDraftState(detail(1, "one", draft("mine", 1)), "");
	assert.equal(isToStore(followDetail(now, detail(2, "mine"))), false);
	const stale = followDetail(now, detail(2, "theirs", draft("mine", 1)));
	assert.deepEqual([stale.text, stale.base, isStale(stale)], ["mine", 1, true]);
});

test("keeps what is typed until it is stored", () => {
	const typed = { ...createDraftState(detail(1, "one"), ""), text: "typed" };
	const later = followDetail(typed, detail(2, "theirs", draft("other tab", 1)));
	assert.deepEqual([later.text, later.base, isToStore(later), isStale(later)], ["typed", 1, true, true]);
});

test("is not stale if someone else published the same text", () => {
	const typed = { ...createDraftState(detail(1, "one"), ""), text: "same" };
	const later = followDetail(typed, detail(2, "same"));
	assert.deepEqual([later.base, isStale(later), isToStore(later)], [2, false, false]);
});

test("a draft that equals the published text is to be discarded", () => {
	assert.equal(isToStore(createDraftState(detail(2, "same", draft("same", 1)), "")), true);
});

test("a draft is stored again if its text is based on another version now", () => {
	const stale = createDraftState(detail(2, "theirs", draft("mine", 1)), "");
	assert.deepEqual([isStale(stale), isToStore(stale)], [true, false]);
	const rebased = { ...stale, base: 2 };
	assert.deepEqual([isStale(rebased), isToStore(rebased)], [false, true]);
});

test("follows the published version while a draft is being discarded", () => {
	const returned = createDraftState(detail(2, "two", draft("two", 1)), "");
	const later = followDetail(returned, detail(3, "three", draft("two", 1)));
	assert.deepEqual([later.text, later.base, isStale(later), isToStore(later)], ["three", 3, false, true]);
});

test("keeps the version that a draft was rebased on until it is stored", () => {
	const rebased = { ...createDraftState(detail(2, "theirs", draft("mine", 1)), ""), base: 2 };
	const later = followDetail(rebased, detail(2, "theirs", draft("mine", 1)));
	assert.deepEqual([later.text, later.base, isToStore(later)], ["mine", 2, true]);
});

test("a workflow of the legacy store is never stale", () => {
	const typed = { ...createDraftState(detail(null, "one"), ""), text: "typed" };
	assert.equal(isStale(followDetail(typed, detail(1, "one"))), false);
});
