import assert from "node:assert/strict";
import type { Scenario, World } from "../../scenario.ts";
import { toValue, upload } from "./files.ts";
import { createWorkflow, getNamedPath, run, save } from "./saving.ts";

const answers = (name: string, settings: object = {}, more: object = {}) =>
	createWorkflow(name, { component: "respond", file: "{{input.file}}", ...settings }, more);

/** Answers with a file that the run made. */
const makes = (name: string, settings: object, more: object = {}) => ({
	...createWorkflow(name, {}, more),
	triplets: ["input >> ON_SUCCESS >> make", "make >> ON_SUCCESS >> answer"],
	config: {
		make: { component: "make_file", name: "價格.csv", format: "text", text: "a,b\n1,2\n", type: "text/csv" },
		answer: { component: "respond", file: "{{make}}", ...settings },
	},
});

const query = (world: World, name: string, body: object) =>
	world.executor.call("POST", getNamedPath(name, "query"), { body });

export const fileAnswers: readonly Scenario[] = [
	{
		name: "a query answers with a file, to be saved under its name",
		cites: [],
		async run(world) {
			await save(world, answers("get"));
			const file = toValue(await upload(world, "<script>1</script>", { name: 'a".html', type: "text/html" }));
			const answer = await query(world, "get", { file });
			assert.deepEqual([answer.status, answer.body], [200, "<script>1</script>"]);
			const header = (name: string) => answer.headers.get(name);
			assert.equal(header("content-type"), "text/html");
			assert.equal(
				header("content-disposition"),
				"attachment; filename=\"a_.html\"; filename*=UTF-8''a%22.html",
			);
			assert.equal(header("content-security-policy"), "sandbox");
			assert.equal(header("x-content-type-options"), "nosniff");
		},
	},
	{
		name: "a file may be shown, but stays in a sandbox; status and other headers are the author's",
		cites: [],
		async run(world) {
			await save(
				world,
				answers("show", {
					inline: true,
					status: 203,
					headers: { "content-type": "text/plain", "x-made-by": "us" },
				}),
			);
			const file = toValue(await upload(world, "x", { name: "a.svg", type: "image/svg+xml" }));
			const answer = await query(world, "show", { file });
			assert.equal(answer.status, 203);
			assert.equal(answer.headers.get("content-type"), "text/plain");
			assert.equal(answer.headers.get("content-disposition"), 'inline; filename="a.svg"');
			assert.equal(answer.headers.get("content-security-policy"), "sandbox");
			assert.equal(answer.headers.get("x-made-by"), "us");
		},
	},
	{
		name: "a public trigger answers with a file that its run made, to GET and HEAD",
		cites: [],
		async run(world) {
			const triggered = { trigger: { type: "webhook", methods: ["GET"], answer: "respond" } };
			await save(world, makes("report", {}, triggered));
			const path = `/webhooks/named/${world.owner}/report/trigger`;
			const answer = await world.anyone.call("GET", path);
			assert.deepEqual([answer.status, answer.body], [200, "a,b\n1,2\n"]);
			assert.equal(
				answer.headers.get("content-disposition"),
				`attachment; filename="__.csv"; filename*=UTF-8''%E5%83%B9%E6%A0%BC.csv`,
			);
			const head = await world.anyone.call("HEAD", path);
			assert.deepEqual([head.status, head.body], [200, ""]);
		},
	},
	{
		name: "a form answers with a file that its run made",
		cites: [],
		async run(world) {
			const form = {
				trigger: { type: "webhook", form: { title: "Report" } },
				options: { input_schema: { type: "object", properties: { month: { type: "string" } } } },
			};
			await save(world, makes("form", {}, form));
			const answer = await world.anyone.call("POST", `/f/${world.owner}/form`, {
				raw: "month=11",
				headers: { "content-type": "application/x-www-form-urlencoded" },
			});
			assert.deepEqual([answer.status, answer.body], [200, "a,b\n1,2\n"]);
			assert.match(answer.headers.get("content-disposition") ?? "", /^attachment;/);
		},
	},
	{
		name: "without answer: respond the file value is the run's data, and a file that may not be opened fails the run",
		cites: [],
		async run(world) {
			await save(world, answers("get"));
			const file = toValue(await upload(world, "x"));
			assert.deepEqual((await run(world, "get", { file })).data, file);
			const stranger = { ...file, $file: "AAAAAAAAAAAAAAAAAAAAAA" };
			const answer = await query(world, "get", { file: stranger });
			assert.equal(answer.status, 500);
			assert.match(JSON.stringify(answer.body), /file not found/);
		},
	},
	{
		name: "a repeat of an idempotent call that answered with a file learns that the run succeeded",
		cites: [],
		async run(world) {
			const triggered = { trigger: { type: "webhook", answer: "respond" } };
			await save(world, makes("report", {}, triggered));
			const call = () =>
				world.anyone.call("POST", `/webhooks/named/${world.owner}/report/trigger`, {
					body: {},
					headers: { "idempotency-key": "one" },
				});
			assert.equal((await call()).body, "a,b\n1,2\n");
			const repeat = await call();
			assert.equal(repeat.headers.get("idempotent-replayed"), "true");
			assert.equal((repeat.body as { success: boolean }).success, true);
		},
	},
	{
		name: "parameters of respond that contradict a file are refused",
		cites: [],
		async run(world) {
			const wrong: object[] = [
				{ body: "x" },
				{ redirect: "https://example.com/" },
				{ page: "forms" },
				{ type: "html" },
				{ status: 204 },
				{ headers: { "Content-Disposition": "inline" } },
			];
			const file = toValue(await upload(world, "x"));
			for (const settings of wrong) {
				await save(world, answers("get", settings));
				const { error = "" } = await run(world, "get", { file }, 500);
				assert.match(error, /^only: parameter "\w+" must (?:be left out with|not set content-disposition)/);
			}
			const alone = createWorkflow("get", { component: "respond", inline: true });
			await world.executor.refuse(400, "POST", "/webhooks/named", { body: alone });
		},
	},
];
