import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readReply } from "@tripline/contract/chat-reply";
import {
	buildContent,
	buildMessages,
	chooseRecent,
	completeText,
	listWriters,
	type StoredTurn,
	TokenCount,
} from "../src/domain/chat.ts";
import { renderEvent, stopWith, textFeed } from "../src/http/text-feed.ts";

const FILE = { $file: "0".repeat(22), name: "a.txt", type: "text/plain", size: 1 };

const turn = (message: string, reply: string | null): StoredTurn => ({
	...{ number: 1, at: 0, message, files: [], reply, status: "answered" },
});

describe("a chat's input and reply", () => {
	test("the last turns that fit are told", () => {
		const long = turn("x".repeat(150_000), null);
		assert.deepEqual(chooseRecent([turn("a", "b"), long, turn("c", "d")]).length, 3);
		assert.deepEqual(chooseRecent([long, long, turn("c", "d")]).length, 2);
		assert.deepEqual(chooseRecent([turn("x".repeat(200_001), null)]), []);
	});

	test("every question has an answer, and a file that is gone is named", () => {
		const messages = buildMessages([{ message: "a", files: [FILE], reply: null }], () => false);
		assert.deepEqual(messages, [
			{
				role: "user",
				content: [
					{ type: "text", text: "a" },
					{ type: "text", text: "(file a.txt, deleted)" },
				],
			},
			{ role: "assistant", content: "(no answer)" },
		]);
		assert.deepEqual(buildContent("", [FILE]), [{ type: "file", file: FILE }]);
		assert.equal(buildContent("a", []), "a");
	});

	test("the reply is a text, or the text of a model or an agent", () => {
		assert.deepEqual(
			["a", null, 7, { text: "b", usage: {} }, { output: "c" }, { other: 1 }, [1]].map(readReply),
			["a", "", "7", "b", "c", '{"other":1}', "[1]"],
		);
	});

	test("only nodes that give the data are streamed", () => {
		const node = (id: string) => ({ id, component: "llm_chat", params: {} });
		const edges = [{ from: "a", to: "b", on: "ON_SUCCESS" as const }];
		const nodes = [node("a"), node("b")];
		assert.deepEqual([...listWriters({ nodes, edges })], ["b", "b/model"]);
		assert.deepEqual([...listWriters({ nodes, edges, result: { said: "{{ a.text }}" } })], ["a", "a/model"]);
		assert.deepEqual([...listWriters({ nodes, edges, result: "fixed" })], []);
	});

	test("what was streamed is completed, and never repeated", () => {
		assert.deepEqual(
			[
				["", "abc"],
				["ab", "abc"],
				["abc", "abc"],
				["I look. abc", "abc"],
				["other", "abc"],
			].map(([streamed = "", reply = ""]) => completeText(streamed, reply)),
			["abc", "c", "", "", "\n\nabc"],
		);
	});

	test("tokens are known only if every model said them, and estimated without any", () => {
		const count = new TokenCount();
		assert.deepEqual([count.isKnown, count.total(40, 4)], [false, 11]);
		count.add({ input: 5, output: 2, isEstimate: false });
		assert.deepEqual([count.isKnown, count.total(40, 4)], [true, 7]);
		count.add({ input: 1, output: 1, isEstimate: true });
		assert.deepEqual([count.isKnown, count.total(40, 4)], [false, 9]);
	});
});

describe("the feed of a text", () => {
	const open = (onCancel = () => {}) =>
		textFeed({
			opening: renderEvent("begin", {}),
			render: (text) => renderEvent("text", { text }),
			onCancel,
		});

	test("a slow reader gets what was written meanwhile as one piece, and then the end", async () => {
		const feed = open();
		for (const piece of ["a", "b", ""]) feed.write(piece);
		const reader = feed.stream.getReader();
		const decoder = new TextDecoder();
		const first = decoder.decode((await reader.read()).value);
		assert.equal(first, 'event: begin\ndata: {}\n\nevent: text\ndata: {"text":"ab"}\n\n');
		feed.write("c");
		feed.end(renderEvent("done", {}));
		feed.write("late");
		feed.end("twice");
		let rest = "";
		for (let next = await reader.read(); !next.done; next = await reader.read())
			rest += decoder.decode(next.value);
		assert.equal(rest, 'event: text\ndata: {"text":"c"}\n\nevent: done\ndata: {}\n\n');
	});

	test("a reader that goes away stops the run, unless it has ended", async () => {
		let stops = 0;
		const left = open(() => stops++);
		await left.stream.cancel();
		left.write("a");
		left.end("b");
		assert.equal(stops, 1);
		const ended = open(() => stops++);
		ended.end("");
		await ended.stream.cancel();
		assert.equal(stops, 1);
	});

	test("a client that disconnects stops it too", () => {
		const gone = new AbortController();
		const stopping = stopWith({ signal: gone.signal });
		assert.equal(stopping.signal.aborted, false);
		gone.abort();
		assert.equal(stopping.signal.aborted, true);
	});
});
