import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { type Instance, openInstance } from "./instance.ts";
import { startLayer } from "./layers.ts";
import { type Load, NUMBER } from "./load.ts";
import { compareServed, countRecords, type Served, toInformation } from "./served.ts";
import { githubSignature, threeNodes, triggerRequest } from "./workflow.ts";

const CONNECTIONS = 32;
// V8 has compiled the hot path of a new process after some 30,000 requests.
const PACE = { rounds: 9, warmups: 4, count: 10_000, connections: CONNECTIONS };
const QUICK = { rounds: 5, warmups: 1, count: 5_000, connections: CONNECTIONS };
const SECRET = "a secret that signs";
const ONE_BY_ONE = [
	"--disable-warning=ExperimentalWarning",
	fileURLToPath(import.meta.resolve("./one-by-one.ts")),
];

interface Case {
	readonly what: string;
	readonly pace: typeof PACE;
	readonly status?: number;
	/** The request, once the workflow exists. */
	prepare(instance: Instance, workflow: string): Promise<string>;
}

const token = async (
	instance: Instance,
	workflow: string,
	given: { query?: string; headers?: Record<string, string>; options?: object } = {},
): Promise<string> => {
	const target = await instance.webhook(threeNodes(workflow), given.options);
	return triggerRequest(`${target}${given.query ?? ""}`, given.headers);
};

const CASES: readonly Case[] = [
	{
		what: "named workflow",
		pace: QUICK,
		prepare: async (instance, workflow) =>
			triggerRequest(await instance.named(workflow, threeNodes(workflow))),
	},
	{
		what: "by token, trace=false",
		pace: QUICK,
		prepare: (instance, workflow) => token(instance, workflow, { query: "?trace=false" }),
	},
	{
		what: "by token, 1 connection",
		pace: { ...QUICK, count: 3_000, connections: 1 },
		prepare: token,
	},
	{
		what: "by token, Idempotency-Key",
		pace: QUICK,
		prepare: (instance, workflow) => token(instance, workflow, { headers: { "idempotency-key": NUMBER } }),
	},
	{
		what: "by token, signed",
		pace: QUICK,
		async prepare(instance, workflow) {
			await instance.signingSecret("signer", SECRET);
			return token(instance, workflow, {
				headers: { "x-hub-signature-256": githubSignature(SECRET) },
				options: { signature: { scheme: "github", credential: "signer" } },
			});
		},
	},
	{
		what: "by token, respond-async",
		pace: { ...QUICK, count: 2_000 },
		status: 202,
		prepare: (instance, workflow) => token(instance, workflow, { headers: { prefer: "respond-async" } }),
	},
];

/** The service under load, against a bare `node:http` server that reads, parses and answers the same amount. */
export async function trigger(load: Load, onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	await using instance = await openInstance(join(folder.path, "service"));
	const answer = await instance.answer(await instance.webhook(threeNodes("sample")));
	await using bare = await startLayer("bare", join(folder.path, "bare"), answer);
	let unrecorded = 0;

	const what = `set, template, if by token, ${CONNECTIONS} connections`;
	const rows: Row[] = [];
	rows.push(...(await measure(instance, { what, pace: PACE, prepare: token }, true)));
	{
		await using quiet = await openInstance(join(folder.path, "quiet"), { LOG_LEVEL: "warn" });
		rows.push(...(await measure(quiet, { what: "by token, log at warn", pace: PACE, prepare: token })));
	}
	rows.push(await compareOneByOne());
	for (const each of CASES) rows.push(...(await measure(instance, each)));
	return [
		...rows,
		{ what: "runs without a record", unit: "runs", ours: unrecorded, bar: { on: "ours", most: 0 } },
	];

	async function compareOneByOne(): Promise<Row> {
		const name = "answered together / one by one";
		onProgress(name);
		await using oneByOne = await openInstance(join(folder.path, "one-by-one"), {}, ONE_BY_ONE);
		const serve = async (subject: Instance): Promise<Served> => ({
			...subject,
			url: subject.publicUrl,
			requests: [await token(subject, "together")],
			settle: countRecords(subject, "together").settle,
		});
		const { floor, ours, ratio } = await compareServed(load, PACE, {
			floor: await serve(oneByOne),
			ours: await serve(instance),
		});
		return { what: name, unit: "µs", floor, ours, ratio, bar: { on: "ratio", most: 0.95 } };
	}

	async function measure(subject: Instance, given: Case, isJudged = false): Promise<Row[]> {
		onProgress(given.what);
		const workflow = given.what.replaceAll(/\W+/g, "-");
		const requests = [await given.prepare(subject, workflow)];
		const records = countRecords(subject, workflow);
		const ours: Served = {
			...subject,
			url: subject.publicUrl,
			requests,
			settle: records.settle,
			...(given.status !== undefined && { status: given.status }),
		};
		const compared = await compareServed(load, given.pace, { floor: { ...bare, requests }, ours });
		unrecorded += records.missing();
		const { floor, ratio } = compared;
		const row: Row = { what: given.what, unit: "µs", floor, ours: compared.ours, ratio };
		if (!isJudged) return [row];
		return [{ ...row, bar: { on: "ratio", most: 2 } }, ...toInformation("the same", compared)];
	}
}
