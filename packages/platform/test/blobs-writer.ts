import { folderBlobs } from "../src/blobs.folder.ts";

const [, , folder = "", key = ""] = process.argv;
const MAX_PIECES = 1000;
/** Says once that bytes are on their way to the disk, so that a test can kill this process. */
const FIRST_PIECES = 20;

async function* write(): AsyncGenerator<Uint8Array> {
	for (let nth = 0; nth < MAX_PIECES; nth++) {
		if (nth === FIRST_PIECES) process.stdout.write("writing\n");
		await new Promise((resolve) => setTimeout(resolve, nth < FIRST_PIECES ? 0 : 1));
		yield new Uint8Array(65_536);
	}
}

try {
	await folderBlobs(folder).put(key, write(), { maxBytes: Number.MAX_SAFE_INTEGER });
} catch (error) {
	process.stdout.write(`${error}\n`);
}
