import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Failed } from "@tripline/contract/failures";
import type { EmailTrigger, JsonObject } from "@tripline/contract/workflows";
import { MailboxProblem, type ReceivedMail } from "@tripline/platform/mailboxes";
import type { MailboxState } from "../src/domain/mailbox-state.ts";
import { type WatchDeps, watchMailbox } from "../src/mail/watch.ts";
import type { WatchedWorkflow } from "../src/mail/watched.ts";
import type { NewRuns } from "../src/runs/accepted.ts";

const PLACE = { namespace: "o", credential: "box", mailbox: "INBOX" };
const PASSWORD = "hush-hush-hush";

const MAIL: Omit<ReceivedMail, "uid"> = {
	...{ messageId: "<1@a>", inReplyTo: null, references: [], to: [], cc: [], replyTo: [], date: null },
	...{ from: { address: "Ada@Example.com", name: "Ada" }, subject: "Help, please", text: "Hi", html: null },
	...{ headers: {}, attachments: [], isTruncated: false, size: 100, receivedAt: null },
};

/** A mailbox at a server that can be changed, and everything that happens with it. */
function openWorld(context: TestContext) {
	const server = {
		uidValidity: "7",
		mails: new Map<number, Partial<ReceivedMail>>(),
		problem: null as string | null,
		hasNews: false,
		arrived: () => {},
	};
	const happened: string[] = [];
	const inputs: JsonObject[] = [];
	const states = new Map<string, MailboxState>();
	const accepted = new Set<string>();
	const files = new Map<string, Uint8Array>();
	const service = { refusals: [] as (Failed | Error)[], key: "k1", saveFails: false };
	const clock = { now: () => Date.now() };
	let deps: WatchDeps = {
		mailboxes: {
			async open() {
				if (server.problem !== null) throw new MailboxProblem(server.problem);
				happened.push("open");
				return {
					uidValidity: server.uidValidity,
					lastUid: Math.max(0, ...server.mails.keys()),
					listAfter: async (uid, max) =>
						[...server.mails.keys()]
							.filter((each) => each > uid)
							.sort((one, other) => one - other)
							.slice(0, max),
					async read(uid, _limits, use) {
						const mail = server.mails.get(uid);
						return mail === undefined ? null : use({ ...MAIL, ...mail, uid });
					},
					markSeen: async (uid) => void happened.push(`seen ${uid}`),
					async move(uid, target) {
						happened.push(`move ${uid} ${target}`);
						server.mails.delete(uid);
					},
					async waitForMail(signal) {
						if (!server.hasNews && !signal.aborted)
							await new Promise<void>((resolve) => {
								server.arrived = resolve;
								signal.addEventListener("abort", () => resolve(), { once: true });
							});
						server.hasNews = false;
						if (server.problem !== null && !signal.aborted) throw new MailboxProblem(server.problem);
					},
					close: () => void happened.push("close"),
				};
			},
			async close() {},
		},
		states: {
			find: async (_namespace, page) => states.get(page) ?? null,
			async save(_namespace, page, state) {
				if (service.saveFails) throw new Error("the process died");
				states.set(page, state);
			},
			delete: async () => {},
		},
		async loadCredential() {
			const inject = { protocol: "imap", user: "{user}", password: "{password}" };
			const fields = ["host", "user", "password"].map((name) => ({
				name,
				secret: name === "password",
				help: "",
			}));
			const recipe = { id: "imap", title: "", type: "mail", fields, hosts: ["{host}"], inject };
			const values = { host: "mail.example", user: "ada", password: PASSWORD };
			return { recipe, fields: values, key: service.key } as never;
		},
		leases: { store: {} as never, holder: undefined, retryMs: 50 },
		fail: (_request, error) => void happened.push(`fail ${error}`),
		accepted: {
			async accept({ runs, input }: NewRuns) {
				const refusal = service.refusals.shift();
				if (refusal !== undefined) throw refusal;
				const [{ executionId, workflow } = { executionId: "", workflow: "" }] = runs;
				if (accepted.has(executionId)) return [];
				accepted.add(executionId);
				inputs.push(input);
				happened.push(`run ${workflow} ${input.uid}`);
				return [executionId];
			},
			status: async (_owner: string, id: string) => (accepted.has(id) ? ({} as never) : null),
		},
		files: {
			async write(_owner, { name, type }, content) {
				const id = `f${files.size}`;
				const bytes = Buffer.concat(await Array.fromAsync(content));
				files.set(id, bytes);
				return { $file: id, name, type, size: bytes.length };
			},
			async delete(_owner, ids) {
				for (const id of ids) files.delete(id);
				return ids.length;
			},
		},
		settings: { maxFileBytes: 1_000, maxBodyBytes: 100_000 },
		clock,
		log: () => {},
	};
	const watching: { stop(): Promise<void> }[] = [];
	context.after(() => Promise.all(watching.map((each) => each.stop())));
	return {
		server,
		service,
		happened,
		inputs,
		states,
		files,
		watch(...workflows: readonly WatchedWorkflow[]) {
			const watched = watchMailbox(deps, PLACE, workflows);
			watching.push(watched);
			return watched;
		},
		arrive(uid: number, mail: Partial<ReceivedMail> = {}) {
			server.mails.set(uid, mail);
			server.hasNews = true;
			server.arrived();
		},
		/** Lets another process take part. */
		lease(runLeases: object): void {
			deps = { ...deps, leases: { store: { runLeases } as never, holder: "p1", retryMs: 50 } };
		},
		/** Until it has happened. */
		until: (event: string, times = 1) =>
			untilTrue(() => happened.filter((each) => each.startsWith(event)).length >= times, event),
		untilTrue,
	};

	async function untilTrue(isSo: () => boolean, what = String(isSo)): Promise<void> {
		const end = Date.now() + 10_000;
		while (!isSo()) {
			assert.ok(Date.now() < end, `not in time: ${what}; ${happened.join(", ")}`);
			await wait(5);
		}
	}
}

const listen = (name: string, settings: Partial<EmailTrigger> = {}): WatchedWorkflow => ({
	entryId: `id of ${name}`,
	name,
	versionNumber: 1,
	runnable: {} as never,
	settings: { credential: "box", ...settings },
});

describe("a mailbox", () => {
	test("starts from now, and then gives each mail to each workflow once", async (context) => {
		const world = openWorld(context);
		world.server.mails.set(3, {});
		world.watch(listen("a"), listen("b"));
		await world.until("open");
		world.arrive(4);
		world.arrive(5);
		await world.until("run", 4);
		assert.deepEqual(
			world.happened.filter((each) => each.startsWith("run")),
			["run a 4", "run b 4", "run a 5", "run b 5"],
		);
		const [input] = world.inputs;
		assert.equal(input?.id, "7.4");
		assert.deepEqual(input?.from, { address: "Ada@Example.com", name: "Ada" });
	});

	test("gives what arrived while it was not read", async (context) => {
		const world = openWorld(context);
		const first = world.watch(listen("a"));
		await world.until("open");
		world.arrive(1);
		await world.until("run a 1");
		await first.stop();
		world.arrive(2);
		world.watch(listen("a"));
		await world.until("run a 2");
		assert.equal(world.inputs.length, 2);
	});

	test("gives a mail once if the process dies between the run and its state", async (context) => {
		const world = openWorld(context);
		const first = world.watch(listen("a"));
		await world.until("open");
		await wait(20);
		world.service.saveFails = true;
		world.arrive(1, { attachments: [{ name: "a.txt", type: "text/plain", bytes: new Uint8Array([1]) }] });
		await world.until("fail");
		await first.stop();
		world.service.saveFails = false;
		world.watch(listen("a"));
		await world.until("open", 2);
		world.arrive(2);
		await world.until("run a 2");
		assert.deepEqual(
			world.inputs.map(({ uid }) => uid),
			[1, 2],
		);
		assert.equal(world.files.size, 1);
	});

	test("gives only mails that match, and leaves the others as they are", async (context) => {
		const world = openWorld(context);
		world.watch(
			listen("sender", { from: ["eve@example.com", "ada@example.com"], mark_seen: true }),
			listen("domain", { from: "@EXAMPLE.com" }),
			listen("subject", { subject: "HELP", move_to: "Done" }),
		);
		await world.until("open");
		world.arrive(1);
		await world.until("move 1");
		world.arrive(2, { subject: "Other", from: { address: "x@other.example", name: "ada@example.com" } });
		world.arrive(3, { subject: "Help" });
		await world.until("move 3");
		assert.deepEqual(world.happened.slice(1), [
			"run sender 1",
			"run domain 1",
			"run subject 1",
			"seen 1",
			"move 1 Done",
			"run sender 3",
			"run domain 3",
			"run subject 3",
			"seen 3",
			"move 3 Done",
		]);
	});

	test("has attachments as files, with safe names", async (context) => {
		const world = openWorld(context);
		const attachments = [
			{ name: "../../etc/passwd", type: "no type", bytes: new Uint8Array([1, 2]) },
			{ name: null, type: "image/png", bytes: new Uint8Array(2_000) },
		];
		world.watch(listen("a"), listen("b", { attachments: false }));
		await world.until("open");
		world.arrive(1, { attachments });
		await world.until("run", 2);
		const large = { name: "file", type: "image/png", size: 2_000 };
		const small = { name: "passwd", type: "application/octet-stream", size: 2 };
		assert.deepEqual(
			world.inputs.map((input) => [input.attachments, input.truncated]),
			[
				[[{ $file: "f0", ...small }, large], true],
				[[small, large], false],
			],
		);
		assert.deepEqual([...(world.files.get("f0") ?? [])], [1, 2]);
	});

	test("has no more of a mail than its workflow wants, or can store", async (context) => {
		const world = openWorld(context);
		world.watch(listen("a", { max_size: 1_000 }), listen("b"));
		await world.until("open");
		world.arrive(1, { size: 2_000, text: "\u0001".repeat(50_000), html: "x".repeat(50_000) });
		await world.until("run", 2);
		const [small, whole] = world.inputs;
		assert.deepEqual([small?.text, small?.truncated], [null, true]);
		assert.deepEqual([whole?.html, whole?.truncated], [null, true]);
		assert.ok(JSON.stringify(whole).length < 50_000);
	});

	test("says that mails may be missing when the server numbers them anew", async (context) => {
		const world = openWorld(context);
		const first = world.watch(listen("a"));
		await world.until("open");
		await first.stop();
		world.server.uidValidity = "8";
		world.server.mails.set(1, {});
		world.watch(listen("a"));
		await world.until("fail mailbox: the server has numbered the mails");
		world.arrive(2);
		await world.until("run a 2");
		assert.equal(world.inputs.length, 1);
	});

	test("is tried again later if it cannot be opened, and at once with another credential", async (context) => {
		const world = openWorld(context);
		world.server.problem = `mail.example refused the login: ${PASSWORD}`;
		const watched = world.watch(listen("a"));
		await world.until("fail");
		await wait(20);
		const state = world.states.get("id of a");
		assert.equal(state?.failures, 1);
		assert.doesNotMatch(JSON.stringify([state, world.happened]), new RegExp(PASSWORD));
		assert.match(state?.error ?? "", /^mail\.example refused the login/);
		assert.ok(Date.parse(state?.retry_at ?? "") > Date.now() + 30_000);
		world.server.problem = null;
		watched.update([listen("a")]);
		await wait(50);
		assert.equal(world.happened.includes("open"), false);
		world.service.key = "k2";
		watched.update([listen("a")]);
		await world.until("open");
		await wait(20);
		assert.equal(world.states.get("id of a")?.failures, 0);
	});

	test("skips a mail that cannot be stored, and says so", async (context) => {
		const world = openWorld(context);
		world.service.refusals.push(new Failed({ kind: "too_large", message: "too large" }));
		world.watch(listen("a"));
		await world.until("open");
		world.arrive(1);
		world.arrive(2);
		await world.until("run a 2");
		assert.ok(world.happened.includes("fail mailbox: the mail 1 started no run: too large"));
	});

	test("says since when it is connected, also to other processes, until the connection is lost", async (context) => {
		const world = openWorld(context);
		const watched = world.watch(listen("a"));
		const readSaved = () => world.states.get("id of a")?.connected_at;
		await world.untilTrue(() => typeof readSaved() === "string");
		assert.deepEqual(watched.describe(), { read_by: "this_process", connected_at: readSaved() });
		world.server.problem = "mail.example closed the connection";
		world.arrive(1);
		await world.until("fail");
		await world.untilTrue(() => readSaved() === null);
		assert.deepEqual(watched.describe(), { read_by: "this_process", connected_at: null });
	});

	test("is read by another process as long as that has it", async (context) => {
		const world = openWorld(context);
		let isFree = false;
		world.lease({ take: async () => ({ taken: isFree, created: isFree }), release: async () => ({}) });
		const watched = world.watch(listen("a"));
		await world.untilTrue(() => watched.describe().read_by === "another_process");
		assert.equal(world.happened.length, 0);
		isFree = true;
		await world.until("open");
		assert.equal(watched.describe().read_by, "this_process");
	});

	test("is closed when it is stopped", async (context) => {
		const world = openWorld(context);
		const watched = world.watch(listen("a"));
		await world.until("open");
		await watched.stop();
		assert.equal(world.happened.at(-1), "close");
	});
});
