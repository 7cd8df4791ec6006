import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { FileValue } from "@tripline/contract/files";
import { runWorkflow } from "../../src/tools/run-workflow.ts";
import { echo, type Opened, openTools } from "./open-tools.ts";

interface Listed {
	readonly files: readonly {
		readonly value: FileValue;
		readonly kept_as?: string;
		readonly expires_at: string | null;
	}[];
	readonly next_cursor: string | null;
}

interface Got {
	readonly value: FileValue;
	readonly content: string | null;
	readonly next_offset: number | null;
	readonly download_url: string;
	readonly next: string;
}

interface Saved {
	readonly value: FileValue;
}

describe("the tools for files", () => {
	let service: Opened;
	before(async () => {
		service = await openTools();
	});
	after(() => service.close());

	const upload = async (
		namespace: string,
		{ name, type, content }: { name: string; type: string; content: string | Uint8Array<ArrayBuffer> },
	): Promise<FileValue> => {
		const { id, size } = await service.clients.executor
			.as(namespace)
			.files.upload({ name, type }, new Blob([content]).stream());
		return { $file: id, name, type, size };
	};

	test("save_file makes a file that get_file reads and list_files lists", async () => {
		const acme = service.as("files-own");
		const { value } = await acme.call<Saved>("save_file", {
			name: "a.csv",
			content: "a,b\n1,茶\n",
			type: "text/csv",
		});
		assert.deepEqual(value, { $file: value.$file, name: "a.csv", type: "text/csv", size: 10 });
		const got = await acme.call<Got>("get_file", { id: value.$file });
		assert.deepEqual([got.value, got.content, got.next], [value, "a,b\n1,茶\n", ""]);
		assert.match(got.download_url, /^http:\/\/.*\/files\/.*signature=/);
		const { files } = await acme.call<Listed>("list_files");
		assert.deepEqual(
			files.map((file) => file.value),
			[value],
		);
		assert.notEqual(files[0]?.expires_at, null);
	});

	test("a name with a folder is reduced to its last part", async () => {
		const { value } = await service
			.as("files-name")
			.call<Saved>("save_file", { name: "../../a.txt", content: "x" });
		assert.equal(value.name, "a.txt");
	});

	test("get_file reads a long text in parts", async () => {
		const acme = service.as("files-long");
		const content = Array.from({ length: 6_000 }, (_, nth) => `line ${nth} "茶"`).join("\n");
		const { value } = await acme.call<Saved>("save_file", { name: "long.txt", content });
		let read = "";
		let offset: number | null = 0;
		while (offset !== null) {
			const part: Got = await acme.call<Got>("get_file", { id: value.$file, offset });
			read += part.content;
			if (part.next_offset !== null) assert.match(part.next, new RegExp(`"offset":${part.next_offset}`));
			offset = part.next_offset;
		}
		assert.equal(read, content);
		assert.match(
			await acme.problem("get_file", { id: value.$file, offset: content.length + 1 }),
			/past the end/,
		);
	});

	test("get_file returns a link instead of content that is not text", async () => {
		const acme = service.as("files-bytes");
		const image = await upload("files-bytes", {
			name: "a.png",
			type: "image/png",
			content: new Uint8Array([1, 2, 0]),
		});
		const falseText = await upload("files-bytes", {
			name: "a.txt",
			type: "text/plain",
			content: new Uint8Array([0xff, 0xfe]),
		});
		for (const { $file } of [image, falseText]) {
			const got = await acme.call<Got>("get_file", { id: $file });
			assert.equal(got.content, null);
			assert.match(got.next, /give the user the link/);
		}
	});

	test("another tenant's file is not found, listed or attached", async () => {
		const secret = await upload("files-victim", {
			name: "plans.txt",
			type: "text/plain",
			content: "secret plans",
		});
		const mallory = service.as("files-mallory");
		assert.match(await mallory.problem("get_file", { id: secret.$file }), /There is no file/);
		assert.deepEqual((await mallory.call<Listed>("list_files")).files, []);
		await mallory.call("save_workflow", { document: echo("echo") });
		const answer = await runWorkflow.call({ name: "echo", input: { file: secret } }, mallory.context);
		assert.deepEqual(answer.attachments, []);
		assert.doesNotMatch(JSON.stringify(answer), /secret plans/);
	});

	test("a run's answer links its files, with what the store knows, and holds small texts", async () => {
		const acme = service.as("files-runs");
		await acme.call("save_workflow", { document: echo("echo") });
		const note = await upload("files-runs", { name: "note.md", type: "text/markdown", content: "# Hi" });
		const large = await upload("files-runs", {
			name: "large.txt",
			type: "text/plain",
			content: "x".repeat(9_000),
		});
		const image = await upload("files-runs", {
			name: "a.png",
			type: "image/png",
			content: new Uint8Array([1]),
		});
		const madeUp = { ...note, $file: "A".repeat(22) };
		const lying = { ...image, type: "text/plain", name: "lie.txt" };
		const input = { files: [note, large, lying, note, madeUp] };
		const { attachments } = await runWorkflow.call({ name: "echo", input }, acme.context);
		const link = ({ $file, name, type, size }: FileValue) => ({
			type: "resource_link",
			uri: `tripline://files/${$file}`,
			name,
			mimeType: type,
			size,
		});
		assert.deepEqual(attachments, [
			link(note),
			{
				type: "resource",
				resource: { uri: `tripline://files/${note.$file}`, mimeType: "text/markdown", text: "# Hi" },
			},
			link(large),
			link(image),
		]);
	});

	test("small texts are held only as far as the answer's length allows", async () => {
		const acme = service.as("files-room");
		await acme.call("save_workflow", { document: echo("echo") });
		const note = await upload("files-room", {
			name: "note.txt",
			type: "text/plain",
			content: "n".repeat(1_900),
		});
		const short = { name: "echo", input: { note }, max_chars: 2_000 };
		const answer = await runWorkflow.call(short, acme.context);
		assert.deepEqual(
			answer.attachments?.map(({ type }) => type),
			["resource_link"],
		);
	});

	test("a run without files has nothing attached", async () => {
		const acme = service.as("files-none");
		await acme.call("save_workflow", { document: echo("echo") });
		const { attachments } = await runWorkflow.call({ name: "echo", input: { a: 1 } }, acme.context);
		assert.deepEqual(attachments, []);
	});

	test("list_files lists kept files by the beginning of their name", async () => {
		const acme = service.as("files-kept");
		await acme.call("save_file", { name: "a.txt", content: "x" });
		assert.equal((await acme.call<Listed>("list_files")).files.length, 1);
		assert.deepEqual((await acme.call<Listed>("list_files", { prefix: "reports/" })).files, []);
	});
});
