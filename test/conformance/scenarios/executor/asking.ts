import assert from "node:assert/strict";
import { AcceptedRun, ExecutionDetail } from "@tripline/contract/executor";
import { AnsweredQuestion, type OpenQuestion, QuestionPage } from "@tripline/contract/questions";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { openHost } from "./outside-host.ts";
import { webhook } from "./public-calls.ts";
import { createWorkflow, listStored, otherTenant, save, trigger } from "./saving.ts";

const NOON = Date.UTC(2026, 10, 3, 12);
const DAY = 24 * 60 * 60_000;

/** Sends the address of a question to a host, and what was answered after it. */
const approval = (url: string, settings: object = {}, more: object = {}) => ({
	...createWorkflow("approval", {}, more),
	triplets: [
		"input >> then >> ask",
		"ask >> while waiting >> send",
		"ask >> then >> done",
		"ask >> on error >> late",
	],
	config: {
		ask: {
			component: "ask",
			question: "Pay **{{input.amount}}**?",
			to: "Ada",
			expires: "3 days",
			...settings,
		},
		send: { component: "http_request", method: "POST", url: `${url}/mail`, json: "{{ask}}" },
		done: { component: "http_request", method: "POST", url: `${url}/done`, json: "{{ask}}" },
		late: { component: "http_request", method: "POST", url: `${url}/late`, json: {} },
	},
});

interface Mail {
	readonly url: string;
	readonly expires_at: string;
}

async function startAsking(world: World, settings: object = {}, more: object = {}) {
	const host = openHost(world);
	await save(world, approval(host.url, settings, more));
	const accepted = await trigger(world, "approval", {
		body: { amount: 250 },
		headers: { prefer: "respond-async" },
	});
	const { execution_id: id } = AcceptedRun.parse(accepted.body);
	const mail = await eventually(async () => {
		const [first] = host.seen;
		assert.ok(first !== undefined);
		return JSON.parse(first.body) as Mail;
	});
	return { host, id, mail, link: new URL(mail.url) };
}

const readDetail = (world: World, id: string) =>
	world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);

const waitForEnd = (world: World, id: string) =>
	eventually(async () => {
		const detail = await readDetail(world, id);
		assert.notEqual(detail.status, "accepted");
		assert.notEqual(detail.record, null);
		return detail;
	});

const listQuestions = async (world: World, headers = {}): Promise<OpenQuestion[]> =>
	(await world.executor.expect(200, QuestionPage.strict(), "GET", "/questions", { headers })).questions;

const openPage = (world: World, link: URL, language = "en") =>
	fetch(new URL(link.pathname, world.target.publicUrl), { headers: { "accept-language": language } });

const submit = (world: World, link: URL, fields: Readonly<Record<string, string>>) =>
	fetch(new URL(link.pathname, world.target.publicUrl), {
		method: "POST",
		body: new URLSearchParams(fields),
	});

const readBodies = ({ seen }: ReturnType<typeof openHost>, path: string) =>
	seen.filter(({ url }) => new URL(url).pathname === path).map(({ body }) => JSON.parse(body));

export const asking: readonly Scenario[] = [
	{
		name: "a question has a page at an address of its own, and its answer is the output, also after a restart",
		cites: [],
		async run(world) {
			const { host, id, mail, link } = await startAsking(world, { show: { invoice: "R-17 <b>" } });
			assert.match(link.pathname, /^\/ask\/[^/]+\/[0-9a-f-]{36}\/[\w-]{32}$/);
			assert.ok(Date.parse(mail.expires_at) > Date.now() + 2.9 * DAY);
			const page = await openPage(world, link);
			assert.equal(page.status, 200);
			const text = await page.text();
			assert.match(text, /<h1>approval<\/h1>/);
			assert.match(text, /Pay <strong>250<\/strong>\?/);
			assert.match(text, /<dt>invoice<\/dt><dd>R-17 &lt;b&gt;<\/dd>/);
			await world.target.restart({});
			const answered = await submit(world, link, { approved: "true", comment: "fine" });
			assert.equal(answered.status, 200);
			assert.match(await answered.text(), /Your answer has been recorded/);
			const { record } = await waitForEnd(world, id);
			assert.equal(record?.verdict, "success", `${record?.error}`);
			assert.deepEqual(readBodies(host, "/done"), [{ approved: true, comment: "fine" }]);
			assert.equal(readBodies(host, "/mail").length, 1);
		},
	},
	{
		name: "opening the page changes nothing, and of many answers the first one counts",
		cites: [],
		async run(world) {
			const { host, id, link } = await startAsking(world);
			for (let n = 0; n < 5; n++) assert.equal((await openPage(world, link)).status, 200);
			const answers = await Promise.all(
				Array.from({ length: 10 }, (_, n) => submit(world, link, { approved: "true", comment: `${n}` })),
			);
			const counts = answers.filter(({ status }) => status === 200).length;
			assert.equal(counts, 1, JSON.stringify(answers.map(({ status }) => status)));
			assert.ok(answers.every(({ status }) => [200, 410, 429].includes(status)));
			await waitForEnd(world, id);
			assert.equal(readBodies(host, "/done").length, 1);
			const later = await openPage(world, link);
			assert.equal(later.status, 410);
			assert.match(await later.text(), /Already answered/);
			const chinese = await openPage(world, link, "zh-TW");
			assert.match(await chinese.text(), /已有回答/);
		},
	},
	{
		name: "an answer that does not fit the fields is shown again with its problems",
		cites: [],
		async run(world) {
			const fields = {
				type: "object",
				properties: { day: { type: "string", format: "date", title: "Day" } },
				required: ["day"],
			};
			const { host, id, link } = await startAsking(world, { fields });
			const wrong = await submit(world, link, { day: "someday" });
			assert.equal(wrong.status, 422);
			assert.match(await wrong.text(), /Enter a date/);
			assert.equal((await submit(world, link, {})).status, 422);
			assert.equal((await submit(world, link, { day: "2026-12-24" })).status, 200);
			await waitForEnd(world, id);
			assert.deepEqual(readBodies(host, "/done"), [{ day: "2026-12-24" }]);
		},
	},
	{
		name: "the tenant lists its open questions and answers them, and no other tenant does",
		cites: [],
		async run(world) {
			const { host, id } = await startAsking(world);
			const [question] = await listQuestions(world);
			assert.deepEqual(
				[question?.execution_id, question?.workflow, question?.node, question?.question, question?.to],
				[id, "approval", "ask", "Pay **250**?", "Ada"],
			);
			const path = `/questions/${id}/${question?.id}/answer`;
			const headers = otherTenant(world);
			assert.deepEqual(await listQuestions(world, headers), []);
			const body = { answer: { approved: false } };
			await world.executor.refuse(404, "POST", path, { body, headers });
			await world.executor.refuse(404, "POST", `/questions/${id}/${"0".repeat(32)}/answer`, { body });
			await world.executor.refuse(422, "POST", path, { body: { answer: { approved: "perhaps" } } });
			await world.executor.refuse(422, "POST", path, { body: { answer: "yes" } });
			await world.executor.expect(200, AnsweredQuestion.strict(), "POST", path, { body });
			await world.executor.refuse(409, "POST", path, { body });
			await waitForEnd(world, id);
			assert.deepEqual(readBodies(host, "/done"), [{ approved: false }]);
			assert.deepEqual(await listQuestions(world), []);
		},
	},
	{
		name: "a question that nobody answers in time fails its node, once, and its page says so",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const { host, id, link } = await startAsking(world, { retry: { max: 2, delay_ms: 1 } });
			await eventually(async () =>
				assert.equal((await readDetail(world, id)).unfinished?.until, new Date(NOON + 3 * DAY).toISOString()),
			);
			await world.target.setNow(NOON + 3 * DAY);
			const page = await openPage(world, link);
			assert.equal(page.status, 410);
			assert.match(await page.text(), /The time to answer this question is over/);
			assert.equal((await submit(world, link, { approved: "true" })).status, 410);
			await world.target.tick();
			assert.equal((await waitForEnd(world, id)).status, "success");
			assert.deepEqual([readBodies(host, "/late").length, readBodies(host, "/mail").length], [1, 1]);
		},
	},
	{
		name: "a run that failed while it asked asks again when it is repeated from where it failed",
		cites: [],
		environment: { BASE_URL: "http://127.0.0.1:8484" },
		async run(world) {
			let isReachable = false;
			const host = openHost(world, () => (isReachable ? { json: {} } : { status: 400, json: {} }));
			await save(world, approval(host.url, {}, { options: { keep: "failed" } }));
			const started = await trigger(world, "approval", {
				body: { amount: 1 },
				headers: { prefer: "respond-async" },
			});
			const { execution_id: failed } = AcceptedRun.parse(started.body);
			assert.equal((await waitForEnd(world, failed)).record?.failed_node, "send");
			assert.deepEqual(await listQuestions(world), []);
			isReachable = true;
			const body = { from: "failed" };
			const repeated = await world.executor.call("POST", `/executions/${failed}/replay`, { body });
			const { execution_id: again } = AcceptedRun.parse(repeated.body);
			const [question] = await eventually(async () => {
				const found = await listQuestions(world);
				assert.equal(found.length, 1);
				return found;
			});
			const path = `/questions/${again}/${question?.id}/answer`;
			await world.executor.expect(200, AnsweredQuestion, "POST", path, {
				body: { answer: { approved: true } },
			});
			assert.equal((await waitForEnd(world, again)).status, "success");
		},
	},
	{
		name: "a question is at most 64 KiB long with its fields and values",
		cites: [],
		async run(world) {
			await save(world, createWorkflow("long", { component: "ask", question: "?", show: "{{input}}" }));
			const answer = await trigger(world, "long", { body: { text: "x".repeat(70_000) } });
			assert.equal(answer.status, 500, JSON.stringify(answer.body));
			assert.match((answer.body as { error: string }).error, /^only: the question has more than 64 KiB/);
		},
	},
	{
		name: "a form leads to the page of what its run asks, as its second page",
		cites: [],
		async run(world) {
			await save(world, {
				...createWorkflow("order", {}),
				...webhook({ form: { title: "Order" } }),
				triplets: ["input >> then >> details", "details >> while waiting >> next", "details >> then >> note"],
				config: {
					details: {
						component: "ask",
						question: "How many of {{input.what}}?",
						fields: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
					},
					next: { component: "respond", status: 303, headers: { Location: "{{details.url}}" } },
					note: {
						component: "kb_upsert",
						page_name: "order",
						content: "{{details.count}} of {{input.what}}",
					},
				},
				options: { input_schema: { type: "object", properties: { what: { type: "string" } } } },
			});
			const first = await fetch(new URL(`/f/${world.owner}/order`, world.target.publicUrl), {
				method: "POST",
				body: new URLSearchParams({ what: "tea" }),
				redirect: "manual",
			});
			assert.equal(first.status, 303);
			const link = new URL(first.headers.get("location") ?? "");
			assert.match(await (await openPage(world, link)).text(), /How many of tea\?/);
			assert.equal((await submit(world, link, { count: "3" })).status, 200);
			await eventually(async () =>
				assert.deepEqual(
					(await listStored(world, "note")).map(({ content }) => content),
					["3 of tea"],
				),
			);
		},
	},
	{
		name: "a question whose run was cancelled is withdrawn",
		cites: [],
		async run(world) {
			const { id, link } = await startAsking(world);
			await eventually(async () =>
				assert.equal((await readDetail(world, id)).unfinished?.waits_for, "answer"),
			);
			await world.executor.call("POST", `/executions/${id}/cancel`);
			await waitForEnd(world, id);
			const page = await openPage(world, link);
			assert.equal(page.status, 410);
			assert.match(await page.text(), /no longer asked/);
			assert.deepEqual(await listQuestions(world), []);
		},
	},
	{
		name: "a wrong address of a question is not found, whatever is wrong with it",
		cites: [],
		async run(world) {
			const { link } = await startAsking(world);
			const [, , namespace = "", run = "", token = ""] = link.pathname.split("/");
			const wrong = [
				[namespace, run, `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`],
				[namespace, run, token.slice(1)],
				[namespace, "0199aaaa-bbbb-7ccc-8ddd-00000000ffff", token],
				[`${namespace}-other`, run, token],
				["no%20namespace", run, token],
				[namespace, "1", token],
				[namespace, run, token.repeat(5)],
			];
			const texts = new Set<string>();
			for (const parts of wrong) {
				const answer = await fetch(new URL(`/ask/${parts.join("/")}`, world.target.publicUrl));
				assert.equal(answer.status, 404);
				texts.add(await answer.text());
			}
			assert.equal(texts.size, 1);
		},
	},
	{
		name: "a run asks two people one after the other, and in a loop each element its own question",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, {
				...createWorkflow("vote", {}),
				triplets: [
					"input >> then >> people",
					"people >> FOREACH person >> ask",
					"ask >> ON_WAIT >> send",
					"people >> then >> done",
				],
				config: {
					people: { component: "foreach", items: ["Ada", "Bob"] },
					ask: { component: "ask", question: "Yes, {{person}}?", to: "{{person}}" },
					send: { component: "http_request", method: "POST", url: `${host.url}/mail`, json: "{{ask}}" },
					done: { component: "http_request", method: "POST", url: `${host.url}/done`, json: "{{ask}}" },
				},
			});
			const accepted = await trigger(world, "vote", { body: {}, headers: { prefer: "respond-async" } });
			const { execution_id: id } = AcceptedRun.parse(accepted.body);
			const asked = await eventually(async () => {
				const found = await listQuestions(world);
				assert.equal(found.length, 2);
				return found;
			});
			for (const { id: question, to } of asked) {
				const body = { answer: { approved: to === "Ada" } };
				await world.executor.expect(200, AnsweredQuestion, "POST", `/questions/${id}/${question}/answer`, {
					body,
				});
			}
			await waitForEnd(world, id);
			assert.deepEqual(readBodies(host, "/done"), [[{ approved: true }, { approved: false }]]);
			assert.equal(readBodies(host, "/mail").length, 2);
		},
	},
	{
		name: "fields that cannot be drawn as a form fail the node",
		cites: [],
		async run(world) {
			const fields = { type: "object", properties: { deep: { type: "array", items: { type: "object" } } } };
			await save(world, createWorkflow("bad", { component: "ask", question: "?", fields }));
			const answer = await trigger(world, "bad", { body: {} });
			assert.equal(answer.status, 500, JSON.stringify(answer.body));
			assert.match((answer.body as { error: string }).error, /^only: fields: /);
		},
	},
];
