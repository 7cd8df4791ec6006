import { createWriteStream } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** The floor: a server that writes each body to a file and does nothing else. */
const folder = process.env.DATA_DIR ?? ".";

const server = createServer(async (request, response) => {
	await pipeline(request, createWriteStream(join(folder, "upload")));
	response.end("{}");
});

server.listen(0, "127.0.0.1", () => {
	const address = server.address();
	console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""} is ready`);
});
