import { connect } from "node:net";
import { type LoadJob, type LoadReport, NUMBER } from "./load.ts";

const READ_BYTES = 64 * 1024;
const HEAD_END = "\r\n\r\n";
/** The end of a chunked answer. */
const LAST_CHUNK = "\r\n0\r\n\r\n";

process.on("message", (job: LoadJob) => {
	run(job).then(
		(report) => process.send?.(report),
		(error: Error) => process.send?.({ problem: error.message }),
	);
});
// Nothing else keeps this process alive: it ends with its parent.
process.on("disconnect", () => process.exit());

async function run(job: LoadJob): Promise<LoadReport> {
	const latencies = new Float64Array(job.count);
	let sent = 0;
	let answered = 0;
	const next = (): number => (sent < job.count ? sent++ : -1);
	const began = performance.now();
	await Promise.all(
		Array.from({ length: job.connections }, () =>
			exchange(job, next, (milliseconds) => {
				latencies[answered++] = milliseconds;
			}),
		),
	);
	const seconds = (performance.now() - began) / 1000;
	latencies.sort();
	const percentile = (part: number) => latencies[Math.floor((job.count - 1) * part)] as number;
	return { seconds, p50: percentile(0.5), p99: percentile(0.99) };
}

/** Uses one connection until all requests are sent. Works on raw bytes, to cost less than what it measures. */
function exchange(
	{ port, requests, status, firstNumber }: LoadJob,
	next: () => number,
	onAnswer: (milliseconds: number) => void,
): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const messages = requests.map((text) => ({ bytes: Buffer.from(text), numberAt: text.indexOf(NUMBER) }));
	const readBuffer = Buffer.allocUnsafe(READ_BYTES);
	let head: Buffer | null = null;
	let bodyLeft = 0;
	/** The last bytes of a chunked answer; null if it has a content length. */
	let tail: string | null = null;
	let sentAt = 0;
	const socket = connect({
		port,
		host: "127.0.0.1",
		noDelay: true,
		onread: { buffer: readBuffer, callback: read },
	});
	socket.on("connect", send);
	socket.on("error", reject);
	socket.on("close", () => reject(new Error("the server closed the connection")));
	return promise;

	function send(): void {
		const nth = next();
		if (nth === -1) {
			resolve();
			socket.destroy();
			return;
		}
		const { bytes, numberAt } = messages[nth % messages.length] as (typeof messages)[number];
		if (numberAt !== -1)
			bytes.write(String(firstNumber + nth).padStart(NUMBER.length, "0"), numberAt, "latin1");
		sentAt = performance.now();
		socket.write(bytes);
	}

	function read(length: number): boolean {
		if (tail !== null) tail = takeEnd(tail + readBuffer.toString("latin1", 0, length));
		else if (bodyLeft > 0) bodyLeft -= length;
		else if (!readHead(length)) return true;
		if (tail === null ? bodyLeft > 0 : tail !== LAST_CHUNK) return true;
		tail = null;
		onAnswer(performance.now() - sentAt);
		send();
		return true;
	}

	/** Whether all headers have arrived; `bodyLeft` is then the rest of the body. */
	function readHead(length: number): boolean {
		const fresh = readBuffer.subarray(0, length);
		const bytes: Buffer = head === null ? fresh : Buffer.concat([head, fresh]);
		const end = bytes.indexOf(HEAD_END);
		head = end === -1 ? Buffer.from(bytes) : null;
		if (end === -1) return false;
		const text = bytes.toString("latin1", 0, end);
		const declared = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
		const isChunked = /\r\ntransfer-encoding: chunked/i.test(text);
		if ((declared === undefined && !isChunked) || Number(text.slice(9, 12)) !== status) {
			reject(new Error(`not an answer with ${status} and an end: ${bytes.toString("latin1", 0, 1000)}`));
			socket.destroy();
			return false;
		}
		if (isChunked) tail = takeEnd(bytes.toString("latin1", end + 2));
		else bodyLeft = Number(declared) - (bytes.length - end - HEAD_END.length);
		return true;
	}
}

const takeEnd = (text: string): string => text.slice(-LAST_CHUNK.length);
