import assert from "node:assert/strict";
import { type HeldRun, type Journal, RunLost } from "../../src/journal.ts";
import type { ContractCase } from "./contract.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const toBytes = (text: string) => encoder.encode(text);
const listTexts = (run: HeldRun, line = "") => run.list(line).map((step) => decoder.decode(step));
async function take(journal: Journal, run = "one", tag = "tag"): Promise<HeldRun> {
	const held = await journal.take(run, tag);
	assert.ok(held !== null);
	return held;
}

/** Each case gets an empty journal. */
export const journalContract: readonly ContractCase<Journal>[] = [
	{
		name: "a run that nobody has taken before has no steps",
		async run(journal) {
			const run = await take(journal);
			assert.deepEqual(run.list(""), []);
			assert.deepEqual(run.list("other"), []);
		},
	},
	{
		name: "a run keeps the tag of whoever took it first",
		async run(journal) {
			assert.equal((await take(journal, "one", "first")).tag, "first");
			assert.equal((await take(journal, "one", "second")).tag, "first");
			await journal.delete("one");
			assert.equal((await take(journal, "one", "third")).tag, "third");
		},
	},
	{
		name: "a run knows how often it was taken without a step since",
		async run(journal) {
			assert.equal(await journal.countIdleTakes("one"), null);
			const counts: number[] = [];
			for (const steps of [0, 0, 1, 0, 0, 0]) {
				const before = await journal.countIdleTakes("one");
				const run = await take(journal);
				counts.push(run.idleTakes);
				assert.equal(before ?? 0, run.idleTakes);
				if (steps > 0) await run.append("", toBytes("step"));
			}
			assert.deepEqual(counts, [0, 1, 2, 0, 1, 2]);
		},
	},
	{
		name: "steps come back in their order, each in its line",
		async run(journal) {
			const run = await take(journal);
			await Promise.all([
				...Array.from({ length: 30 }, (_, index) => run.append("", toBytes(`step ${index}`))),
				run.append(":call", toBytes("a")),
				run.append(":call", toBytes("b")),
				run.append(":call/2:deeper", toBytes("")),
			]);
			await (await take(journal, "other")).append("", toBytes("of another run"));
			const again = await take(journal);
			assert.deepEqual(
				listTexts(again),
				Array.from({ length: 30 }, (_, index) => `step ${index}`),
			);
			assert.deepEqual(listTexts(again, ":call"), ["a", "b"]);
			assert.deepEqual(listTexts(again, ":call/2:deeper"), [""]);
		},
	},
	{
		name: "a run that was taken again goes on after its steps, any number of times",
		async run(journal) {
			for (let turn = 0; turn < 5; turn++) {
				const run = await take(journal);
				assert.equal(run.list("").length, 2 * turn);
				await run.append("", toBytes(`${turn}`));
				await run.append("", toBytes(`${turn}`));
			}
		},
	},
	{
		name: "who held a run before can record nothing more, in no line",
		async run(journal) {
			const old = await take(journal);
			await old.append("", toBytes("first"));
			const current = await take(journal);
			await assert.rejects(old.append("", toBytes("too late")), RunLost);
			await assert.rejects(old.append("new line", toBytes("too late")), RunLost);
			await current.append("", toBytes("second"));
			assert.deepEqual(listTexts(await take(journal)), ["first", "second"]);
		},
	},
	{
		name: "a deleted run is gone, and its holder notices",
		async run(journal) {
			const run = await take(journal);
			await run.append("", toBytes("first"));
			await journal.delete("one");
			await assert.rejects(run.append("", toBytes("second")), RunLost);
			assert.deepEqual(listTexts(await take(journal)), []);
			await journal.delete("never taken");
		},
	},
	{
		name: "a cancelled run cannot be taken, whether it was taken before or not, and its holder notices",
		async run(journal) {
			const run = await take(journal);
			await run.append("", toBytes("first"));
			await journal.cancel("one", 1_000);
			await journal.cancel("other", 1_000);
			await assert.rejects(run.append("", toBytes("second")), RunLost);
			for (const cancelled of ["one", "other"]) {
				await assert.rejects(take(journal, cancelled), RunLost);
				assert.equal(await journal.read(cancelled), null);
			}
			assert.equal(await journal.sweep(1_000), 2);
		},
	},
	{
		name: "an interrupted run is lost to its holder, and whoever takes it finds it cancelled, with its steps",
		async run(journal) {
			const run = await take(journal, "one", "first");
			assert.equal(run.isCancelled, false);
			await run.append("", toBytes("a"));
			assert.deepEqual(await journal.interrupt("one"), { tag: "first", isFirst: true });
			await assert.rejects(run.append("", toBytes("too late")), RunLost);
			const next = await take(journal);
			assert.equal(next.isCancelled, true);
			assert.deepEqual(listTexts(next), ["a"]);
		},
	},
	{
		name: "interrupting a run again does not disturb whoever has taken it since",
		async run(journal) {
			await take(journal);
			await journal.interrupt("one");
			const next = await take(journal);
			assert.deepEqual(await journal.interrupt("one"), { tag: "tag", isFirst: false });
			await next.append("", toBytes("b"));
			assert.equal((await take(journal)).isCancelled, true);
		},
	},
	{
		name: "a run that nobody has taken, or that has ended, cannot be interrupted",
		async run(journal) {
			assert.equal(await journal.interrupt("never taken"), null);
			await take(journal, "retained");
			await journal.retain("retained", 1_000);
			assert.equal(await journal.interrupt("retained"), null);
			await take(journal, "cancelled");
			await journal.cancel("cancelled", 1_000);
			assert.equal(await journal.interrupt("cancelled"), null);
		},
	},
	{
		name: "what is retained of a run can be read until its time has passed",
		async run(journal) {
			const run = await take(journal, "one", "first");
			await run.append("", toBytes("a"));
			await run.append("/1::call", toBytes("b"));
			assert.equal(await journal.read("one"), null);
			await journal.retain("one", 1_000);
			await take(journal, "unfinished");
			const read = await journal.read("one");
			assert.equal(read?.tag, "first");
			assert.deepEqual(read?.list(""), [toBytes("a")]);
			assert.deepEqual(read?.list("/1::call"), [toBytes("b")]);
			await assert.rejects(run.append("", toBytes("too late")), RunLost);
			assert.equal(await journal.sweep(999), 0);
			assert.equal(await journal.sweep(1_000), 1);
			assert.equal(await journal.read("one"), null);
			assert.equal(await journal.sweep(2_000), 0);
		},
	},
	{
		name: "the oldest retained runs of an owner make room for newer ones",
		async run(journal) {
			const retain = async (run: string, until: number, owner: string, bytes: number) => {
				await take(journal, run);
				await journal.retain(run, until, { owner, bytes, maxBytes: 100 });
			};
			await retain("oldest", 1_000, "a", 40);
			await retain("older", 1_001, "a", 40);
			await retain("of another", 999, "b", 90);
			assert.notEqual(await journal.read("oldest"), null);
			await retain("newest", 1_002, "a", 40);
			assert.equal(await journal.read("oldest"), null);
			for (const run of ["older", "newest", "of another"]) assert.notEqual(await journal.read(run), null);
			await retain("too large", 1_003, "a", 101);
			for (const run of ["older", "newest", "too large"]) assert.equal(await journal.read(run), null);
		},
	},
	{
		name: "a step may be large",
		async run(journal) {
			const sizes = [4_000_001, 1_500_000, 0, 3_000_000];
			const steps = sizes.map((size, nth) => new Uint8Array(size).map((_, at) => at ^ nth));
			const run = await take(journal);
			for (const step of steps) await run.append("", step);
			const found = (await take(journal)).list("");
			assert.deepEqual(
				found.map(({ length }) => length),
				sizes,
			);
			for (const [nth, step] of steps.entries())
				assert.ok(Buffer.from(step).equals(found[nth] as Uint8Array));
		},
	},
	{
		name: "thousands of steps are read completely",
		async run(journal) {
			const run = await take(journal);
			const steps = Array.from({ length: 1_501 }, (_, index) => `${index}`);
			for (let start = 0; start < steps.length; start += 100)
				await Promise.all(steps.slice(start, start + 100).map((step) => run.append("", toBytes(step))));
			assert.deepEqual(listTexts(await take(journal)), steps);
		},
	},
];
