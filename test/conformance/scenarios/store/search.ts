import assert from "node:assert/strict";
import { AppendedEntry, UpsertedEntry } from "@tripline/contract/entries";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { RebuildStep, Suggestions } from "@tripline/contract/search";
import type { Scenario, World } from "../../scenario.ts";

const TOKEN = "internal-token-of-the-tests";
const MULTI_TENANT = { STORE_INTERNAL_TOKEN: TOKEN, MULTI_TENANT: "true" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

type Headers = Record<string, string>;
interface Note {
	readonly content: string;
	readonly page_name?: string;
	readonly entry_type?: string;
	readonly owner_id?: string;
}

async function put(world: World, note: Note, headers: Headers = {}) {
	const body = { owner_id: world.owner, entry_type: "note", page_name: "page", ...note };
	const { status, body: answer } = await world.call("PUT", "/entries", { body, headers });
	assert.ok(status === 200 || status === 201, JSON.stringify(answer));
	return UpsertedEntry.parse(answer).entry;
}

/** Saves each text on the page with the given name. */
async function putAll(world: World, pages: Readonly<Record<string, string>>) {
	for (const [page_name, content] of Object.entries(pages)) await put(world, { page_name, content });
}

async function search(world: World, body: object, headers: Headers = {}) {
	const request = { body: { owner_id: world.owner, ...body }, headers };
	return (await world.expect(200, Suggestions, "POST", "/search", request)).suggestions;
}

const findPages = async (world: World, q: string, more: object = {}) =>
	(await search(world, { q, ...more })).map(({ page_name }) => page_name);

const createKey = async (world: World) =>
	(
		await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
			body: { namespace: world.owner },
			headers: bearer(TOKEN),
		})
	).key;

export const searching: readonly Scenario[] = [
	{
		name: "search suggests the entries that contain the words, best first, with the matches",
		cites: ["KNOW-SEARCH-SUGGEST-ONLY", "KNOW-HOLDS-USER-KNOWLEDGE"],
		async run(world) {
			await putAll(world, {
				"Weekly report": "Sums up the numbers of every day.",
				Meeting: "We talked about the weekly report, and about lunch.",
				Lunch: "Soup on Mondays.",
			});
			const found = await search(world, { q: "weekly report", mode: "suggest" });
			assert.deepEqual(
				found.map(({ page_name }) => page_name),
				["Weekly report", "Meeting"],
			);
			const [best, second] = found;
			assert.ok(best !== undefined && second !== undefined && best.score > second.score && second.score > 0);
			assert.equal(best.entry_type, "note");
			assert.equal(best.why, "title: Weekly, report");
			assert.equal(second.why, "text: weekly, report");
			assert.equal(second.snippet, "We talked about the weekly report, and about lunch.");
			assert.deepEqual(
				second.matches.map(({ start, end }) => second.snippet.slice(start, end)),
				["weekly", "report"],
			);
			const stored = await world.call("GET", `/entries/${best.id}`, { query: { owner_id: world.owner } });
			assert.equal(stored.status, 200);
			assert.deepEqual(await search(world, { q: "weekly report" }), found);
			assert.deepEqual(await findPages(world, "nothing like that"), []);
		},
	},
	{
		name: "suggest is the only mode of search",
		cites: ["KNOW-SEARCH-NO-KEYWORD", "KNOW-SEARCH-SUGGEST-ONLY"],
		async run(world) {
			await putAll(world, { Tea: "Green tea" });
			for (const mode of [
				"keyword",
				"Suggest",
				"suggest ",
				"semantic",
				"",
				null,
				5,
				true,
				[],
				{},
				["suggest"],
			]) {
				const body = { owner_id: world.owner, q: "tea", mode };
				const { error } = await world.refuse(400, "POST", "/search", { body });
				assert.match(error, /only.*"suggest"/);
			}
			assert.deepEqual(await findPages(world, "tea", { mode: "suggest" }), ["Tea"]);
		},
	},
	{
		name: "search never returns internal entries of the service",
		cites: [
			"KNOW-SEARCH-EXCLUDES-VALUE",
			"KNOW-SEARCH-EXCLUDES-WORKFLOW",
			"KNOW-SEARCH-EXCLUDES-EXECUTION-LOG",
			"KNOW-SEARCH-EXCLUDES-EXECUTION-LOG-USAGE",
		],
		async run(world) {
			const internal = ["value", "workflow", "execution_log", "execution_log_usage", "partner_key"];
			for (const entry_type of [...internal, "note"]) {
				await put(world, { entry_type, page_name: `zebra ${entry_type}`, content: "A zebra crosses." });
				const body = { owner_id: world.owner, entry_type, page_name: "zebra", content: "zebra" };
				await world.expect(201, AppendedEntry, "POST", "/entries", { body });
			}
			const slots = [{ name: "animal", type: "string" }];
			const template = { owner_id: world.owner, name: "zebra", slots };
			await world.call("POST", "/templates", { body: template });
			const record = { owner_id: world.owner, template: "zebra", values: { animal: "zebra" } };
			assert.equal((await world.call("POST", "/records", { body: record })).status, 201);
			const log = {
				owner_id: world.owner,
				workflow: "zebra",
				verdict: "failed",
				duration_ms: 1,
				error: "zebra",
			};
			assert.equal((await world.call("POST", "/execution-log", { body: log })).status, 200);
			for (const q of [
				"zebra",
				"zeb",
				"z",
				"zebra value workflow execution_log usage partner_key",
				"crosses",
			]) {
				const types = new Set((await search(world, { q, limit: 100 })).map(({ entry_type }) => entry_type));
				assert.deepEqual([...types], ["note"], q);
			}
			for (const entry_type of internal.filter((type) => type !== "workflow")) {
				const body = { owner_id: world.owner, q: "zebra", entry_types: ["note", entry_type] };
				const { issues } = await world.refuse(422, "POST", "/search", { body });
				assert.equal(issues?.[0]?.path, "entry_types.1");
			}
		},
	},
	{
		name: "internal callers can search workflows by type, and a partner key cannot",
		cites: ["KNOW-SEARCH-EXCLUDES-WORKFLOW"],
		environment: MULTI_TENANT,
		async run(world) {
			const internal = bearer(TOKEN);
			const content = "Sends the morning report";
			await put(world, { entry_type: "workflow", page_name: "morning", content }, internal);
			await put(world, { page_name: "note", content }, internal);
			const asked = { q: "report", entry_types: ["workflow"] };
			const found = await search(world, asked, internal);
			assert.deepEqual(
				found.map((each) => [each.entry_type, each.page_name]),
				[["workflow", "morning"]],
			);
			const headers = bearer(await createKey(world));
			await world.refuse(403, "POST", "/search", { body: asked, headers });
			await world.refuse(403, "POST", "/search", {
				body: { ...asked, entry_types: ["note", "workflow"] },
				headers,
			});
			assert.deepEqual(
				(await search(world, { q: "report" }, headers)).map(({ entry_type }) => entry_type),
				["note"],
			);
			const both = { owner_id: world.owner, q: "report", entry_types: ["workflow", "note"] };
			const { issues } = await world.refuse(422, "POST", "/search", { body: both, headers: internal });
			assert.match(issues?.[0]?.message ?? "", /cannot be combined/);
		},
	},
	{
		name: "owners with the same texts and similar names find only their own entries",
		cites: ["STORE-ENTRY-ISOLATION"],
		async run(world) {
			const base = world.owner.replaceAll("-", "");
			const owners = [
				base,
				base.toUpperCase(),
				`${base}z`,
				`${base}Z`,
				`${base}-`,
				`${base}_`,
				`${base}z1`,
				`${base}0`,
			];
			const ids = new Map<string, string>();
			for (const owner_id of owners) {
				ids.set(owner_id, (await put(world, { owner_id, page_name: "Plan", content: "The same plan" })).id);
			}
			for (const owner_id of owners) {
				for (const q of ["same plan", "pla", "p"]) {
					const found = await search(world, { owner_id, q });
					assert.deepEqual(
						found.map(({ id }) => id),
						[ids.get(owner_id)],
						owner_id,
					);
				}
			}
			assert.deepEqual(await search(world, { owner_id: `${base}x`, q: "plan" }), []);
		},
	},
	{
		name: "a partner key can search only its own namespace",
		cites: ["STORE-ENTRY-ISOLATION"],
		environment: MULTI_TENANT,
		async run(world) {
			const internal = bearer(TOKEN);
			await put(world, { content: "our secret" }, internal);
			await put(world, { owner_id: `${world.owner}-x`, content: "their secret" }, internal);
			const headers = bearer(await createKey(world));
			const { suggestions } = await world.expect(200, Suggestions, "POST", "/search", {
				body: { q: "secret" },
				headers,
			});
			assert.deepEqual(
				suggestions.map(({ snippet }) => snippet),
				["our secret"],
			);
			const other = { owner_id: `${world.owner}-x`, q: "secret" };
			const refused = await world.refuse(403, "POST", "/search", { body: other, headers });
			assert.doesNotMatch(JSON.stringify(refused), /their/);
			await world.refuse(401, "POST", "/search", { body: { q: "secret" } });
			await world.refuse(403, "POST", "/search/rebuild", { body: {}, headers });
		},
	},
	{
		name: "without an owner, search uses the self-hosted namespace",
		cites: [],
		environment: { MULTI_TENANT: "false", NAMESPACE: "home" },
		async run(world) {
			await put(world, { owner_id: "home", content: "umbrella" });
			await put(world, { content: "umbrella" });
			const body = { q: "umbrella" };
			const { suggestions } = await world.expect(200, Suggestions, "POST", "/search", { body });
			assert.equal(suggestions.length, 1);
		},
	},
	{
		name: "in multi-tenant mode search without an owner is rejected",
		cites: [],
		environment: { MULTI_TENANT: "true" },
		async run(world) {
			const { issues } = await world.refuse(422, "POST", "/search", { body: { q: "umbrella" } });
			assert.equal(issues?.[0]?.path, "owner_id");
		},
	},
	{
		name: "a changed entry is found only by its new words, a deleted one not at all",
		cites: [],
		async run(world) {
			const first = await put(world, { page_name: "Drink", content: "green tea" });
			await put(world, { page_name: "Drink", content: "black coffee" });
			assert.deepEqual(await findPages(world, "tea"), []);
			assert.deepEqual(await findPages(world, "coffee"), ["Drink"]);
			await put(world, { page_name: "Drink", content: "black coffee" });
			assert.deepEqual(await findPages(world, "coffee drink"), ["Drink"]);
			const query = { owner_id: world.owner };
			assert.equal((await world.call("DELETE", `/entries/${first.id}`, { query })).status, 200);
			assert.deepEqual(await findPages(world, "coffee"), []);
			assert.deepEqual(await findPages(world, "drink"), []);
			await put(world, { page_name: "Drink", content: "water" });
			assert.deepEqual(await findPages(world, "drink"), ["Drink"]);
		},
	},
	{
		name: "an upsert changes the oldest of appended entries, also in the index",
		cites: ["STORE-ENTRY-UPSERT-OLDEST"],
		async run(world) {
			for (const content of ["alpha", "beta"]) {
				const body = { owner_id: world.owner, entry_type: "note", page_name: "p", content };
				await world.expect(201, AppendedEntry, "POST", "/entries", { body });
			}
			await put(world, { page_name: "p", content: "gamma" });
			const counts = await Promise.all(["alpha", "beta", "gamma"].map((q) => findPages(world, q)));
			assert.deepEqual(
				counts.map((found) => found.length),
				[0, 1, 1],
			);
		},
	},
	{
		name: "parallel writes of one page leave it in the index once, with its current words",
		cites: [],
		async run(world) {
			const words = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"];
			await Promise.all(words.map((content) => put(world, { page_name: "Animal", content })));
			const [only, ...others] = await search(world, { q: "animal" });
			assert.deepEqual(others, []);
			const found = await Promise.all(words.map((q) => findPages(world, q)));
			assert.deepEqual(
				words.filter((_, place) => found[place]?.length === 1),
				[only?.snippet],
			);
		},
	},
	{
		name: "words match other forms, accents and cases; exact matches come first",
		cites: [],
		async run(world) {
			await putAll(world, {
				one: "an organization of organizations",
				two: "the organ of the church",
				three: "We were running to the Café CRÈME in the Straße",
				four: "Он ёлку купил",
			});
			assert.deepEqual(await findPages(world, "organ "), ["two", "one"]);
			assert.deepEqual((await findPages(world, "organized")).sort(), ["one", "two"]);
			for (const q of ["runs", "RAN running", "cafe", "CAFÉ", "creme", "strasse", "café crème"]) {
				assert.deepEqual(await findPages(world, q), ["three"], q);
			}
			assert.deepEqual(await findPages(world, "елку"), ["four"]);
		},
	},
	{
		name: "identifiers, versions and dates are found as a whole and by their parts",
		cites: [],
		async run(world) {
			await putAll(world, {
				one: "the component http_request, since v1.3.0",
				two: "an http proxy answers a request, version v2.0.0",
				three: "foo-bar on 2026-03-14 by mail@example.org",
			});
			assert.deepEqual(await findPages(world, "http_request "), ["one", "two"]);
			assert.deepEqual((await findPages(world, "request ")).sort(), ["one", "two"]);
			assert.equal((await findPages(world, "v1.3.0"))[0], "one");
			assert.deepEqual(await findPages(world, "v1.3"), ["one"]);
			for (const q of [
				"foo-bar",
				"foo_bar",
				"bar",
				"2026-03-14",
				"2026",
				"mail@example.org",
				"example.org",
			]) {
				assert.deepEqual(await findPages(world, q), ["three"], q);
			}
		},
	},
	{
		name: "Chinese, Japanese, Korean and Thai text is found by two characters and by one",
		cites: [],
		async run(world) {
			const texts = {
				zh: "知识库保存所有条目",
				ja: "毎朝レポートを送信するワークフロー",
				ko: "매일 아침 보고서를 보냅니다",
				th: "ส่งรายงานทุกเช้า",
			};
			await putAll(world, texts);
			const queries: [keyof typeof texts, string[]][] = [
				["zh", ["知识", "条目", "保存所有", "库", "目", "知"]],
				["ja", ["送信", "レポート", "ワーク", "毎", "ﾚﾎﾟｰﾄ"]],
				["ko", ["보고", "아침", "보고서", "매"]],
				["th", ["รายงาน"]],
			];
			for (const [page, words] of queries) {
				for (const q of words) assert.deepEqual(await findPages(world, q), [page], q);
			}
			const [found] = await search(world, { q: "レポート送信" });
			assert.equal(found?.why, "text: レポート, 送信");
		},
	},
	{
		name: "the last word matches as a prefix, unless white space follows it",
		cites: ["KNOW-SEARCH-SUGGEST-ONLY"],
		async run(world) {
			await putAll(world, {
				Kubernetes: "A cluster",
				Notes: "The kubernetes cluster is down",
				Kuchen: "Mehl",
			});
			for (const q of ["kub", "kube", "kuber", "kuberne", "kubernete", "kubernetes"]) {
				assert.deepEqual(await findPages(world, q), ["Kubernetes", "Notes"], q);
			}
			assert.deepEqual(await findPages(world, "k"), ["Kuchen", "Kubernetes"]);
			assert.deepEqual(await findPages(world, "clus kub"), ["Kubernetes", "Notes"]);
			assert.deepEqual(await findPages(world, "kub "), []);
			assert.deepEqual(await findPages(world, "kub down"), ["Notes"]);
			assert.deepEqual(await findPages(world, "kubernetix"), []);
		},
	},
	{
		name: "stop words are ignored, unless there are no other words",
		cites: [],
		async run(world) {
			await putAll(world, { one: "to be or not to be", two: "the plan for the week" });
			assert.deepEqual(await findPages(world, "what is the plan "), ["two"]);
			assert.deepEqual(await findPages(world, "to be or not to be "), ["one"]);
		},
	},
	{
		name: "q is only words: operators, quotes and wildcards of the index have no effect",
		cites: [],
		async run(world) {
			await putAll(world, {
				one: "alpha beta",
				two: "gamma and or not near delta",
				three: "terms rowid search",
			});
			const nothing = [
				"*",
				'"',
				"()",
				"^",
				"-",
				"+",
				":",
				"''",
				'""',
				"\\",
				"🙂",
				" ",
				"\t\n",
				"\u0001\u001b",
				"{}",
				"—",
			];
			for (const q of nothing) assert.deepEqual(await search(world, { q }), [], JSON.stringify(q));
			const alpha = [
				'"alpha',
				'alpha"',
				"alpha*",
				"^alpha",
				"alpha)",
				"(alpha",
				"{alpha} ",
				"alpha\u0001",
				"-alpha",
				"+alpha",
				"alpha;--",
			];
			for (const q of alpha) assert.deepEqual(await findPages(world, q), ["one"], q);
			assert.deepEqual((await findPages(world, 'alpha" AND "gamma ')).sort(), ["one", "two"]);
			for (const q of [
				"terms : alpha",
				"terms:alpha",
				"rowid = 1",
				"search MATCH 'x'",
				'NEAR("alpha" "delta", 5)',
				"alpha NOT alpha",
			]) {
				assert.ok((await findPages(world, q)).length > 0, q);
			}
		},
	},
	{
		name: "limit bounds the results, and of equal matches the newest comes first",
		cites: [],
		async run(world) {
			for (let nth = 1; nth <= 25; nth++) await put(world, { page_name: `n ${nth}`, content: "equal" });
			assert.equal((await findPages(world, "equal")).length, 20);
			assert.equal((await findPages(world, "equal", { limit: 100 })).length, 25);
			assert.deepEqual(await findPages(world, "equal", { limit: 3 }), ["n 25", "n 24", "n 23"]);
			await put(world, { entry_type: "task", page_name: "t", content: "equal" });
			assert.deepEqual(await findPages(world, "equal", { entry_types: ["task"] }), ["t"]);
			assert.deepEqual(await findPages(world, "equal", { entry_types: ["Task", "unknown"] }), []);
			assert.equal(
				(await findPages(world, "equal", { entry_types: ["task", "note"], limit: 100 })).length,
				26,
			);
		},
	},
	{
		name: "the snippet of a long text is the matching part, on one line and as plain text",
		cites: [],
		async run(world) {
			const filler = "Lorem ipsum dolor sit amet. ".repeat(400);
			await put(world, { content: `${filler}\n\nThe <b>needle</b>\tis\nhere. ${filler}` });
			const [found] = await search(world, { q: "needles" });
			assert.match(found?.snippet ?? "", /^….*amet\. The <b>needle<\/b> is here\. Lorem.*…$/);
			assert.ok((found?.snippet.length ?? 0) < 200);
			const [match] = found?.matches ?? [];
			assert.equal(found?.snippet.slice(match?.start, match?.end), "needle");
			await put(world, { page_name: "empty needle", content: "" });
			const titled = (await search(world, { q: "empty" }))[0];
			assert.equal(titled?.snippet, "empty needle");
		},
	},
	{
		name: "a text of one megabyte, a word of one megabyte and a million words can be stored and searched",
		cites: [],
		async run(world) {
			const big = 1_000_000;
			await put(world, { page_name: "one word", content: "x".repeat(big) });
			await put(world, { page_name: "one run", content: "漢字".repeat(big / 6) });
			const words = Array.from({ length: 120_000 }, (_, nth) => `w${nth}`).join(" ");
			await put(world, { page_name: "many words", content: words });
			assert.deepEqual(await findPages(world, "w17"), ["many words"]);
			assert.deepEqual(await findPages(world, "字漢"), ["one run"]);
			assert.deepEqual(await findPages(world, "x".repeat(900)), ["one word"]);
		},
	},
	{
		name: "an invalid search is rejected with the reason",
		cites: [],
		async run(world) {
			const right = { owner_id: world.owner, q: "tea" };
			const wrong: [string, unknown[]][] = [
				["q", [undefined, null, 5, true, [], {}, "", ["tea"], "x".repeat(1001), "x ".repeat(50_000)]],
				["limit", [null, 0, -1, 1.5, 101, 1e9, "20", "", [], {}, true]],
				["owner_id", [null, 5, "", "a b", "a/b", "-x", "x".repeat(65), [], {}]],
				[
					"entry_types",
					[null, "note", {}, [], [""], [5], [null], ["a b"], ["note", ["x"]], Array(21).fill("a")],
				],
				["unknown", [1]],
				["query", ["tea"]],
				["constructor", [1]],
			];
			for (const [field, values] of wrong) {
				for (const value of values) {
					const { issues } = await world.refuse(422, "POST", "/search", {
						body: { ...right, [field]: value },
					});
					assert.equal(issues?.[0]?.path.split(".")[0], field, JSON.stringify(value)?.slice(0, 40));
				}
			}
			for (const raw of ["", "{", "nope", '{"q":"a\\u0000"}', '{"q":"\\ud800"}']) {
				await world.refuse(400, "POST", "/search", { raw });
			}
			await world.refuse(422, "POST", "/search", { raw: "[]" });
			await world.refuse(405, "GET", "/search");
			for (const q of [
				"x".repeat(1000),
				"é".repeat(1000),
				"🙂".repeat(1000),
				"a ".repeat(500),
				"漢".repeat(1000),
			]) {
				assert.deepEqual(await search(world, { q }), []);
			}
		},
	},
	{
		name: "reindexing everything in steps does not change the results",
		cites: [],
		async run(world) {
			await putAll(world, { one: "apple pie", two: "apple juice" });
			await put(world, { entry_type: "workflow", page_name: "three", content: "apple" });
			const before = await search(world, { q: "apple" });
			assert.equal(before.length, 2);
			let after = 0;
			let indexed = 0;
			for (let next: number | null = 0; next !== null; ) {
				after = next;
				const step = await world.expect(200, RebuildStep, "POST", "/search/rebuild", { body: { after } });
				assert.ok(step.next === null || step.next > after);
				indexed += step.indexed;
				next = step.next;
			}
			assert.ok(indexed >= 3);
			assert.deepEqual(await search(world, { q: "apple" }), before);
			assert.equal((await search(world, { q: "apple", entry_types: ["workflow"] })).length, 1);
			for (const body of [{ after: -1 }, { after: 1.5 }, { after: "0" }, { after: null }, { from: 0 }]) {
				await world.refuse(422, "POST", "/search/rebuild", { body });
			}
			await world.target.tick();
			assert.deepEqual(await search(world, { q: "apple" }), before);
		},
	},
];
