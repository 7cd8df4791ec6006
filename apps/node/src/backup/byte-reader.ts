const NEWLINE = 10;

/** Reads exact lengths from pieces of any length. */
export function byteReader(source: AsyncIterable<Uint8Array>) {
	const pieces = source[Symbol.asyncIterator]();
	let rest: Buffer = Buffer.alloc(0);

	return {
		/** Null if there are fewer bytes. */
		async read(length: number): Promise<Buffer | null> {
			const parts: Buffer[] = [];
			let missing = length;
			for await (const part of stream(length)) {
				parts.push(part);
				missing -= part.length;
			}
			return missing === 0 ? Buffer.concat(parts) : null;
		},
		/** Up to and with the next line feed. Null if there is none within that many bytes. */
		async readLine(maxBytes: number): Promise<string | null> {
			while (rest.length < maxBytes && !rest.includes(NEWLINE)) {
				const { done, value } = await pieces.next();
				if (done === true) break;
				rest = Buffer.concat([rest, value]);
			}
			const end = rest.indexOf(NEWLINE) + 1;
			if (end === 0 || end > maxBytes) return null;
			const line = rest.toString("utf8", 0, end);
			rest = rest.subarray(end);
			return line;
		},
		/** The next bytes as they come; fewer if there are no more. */
		stream,
	};

	async function* stream(length: number): AsyncGenerator<Buffer> {
		for (let missing = length; missing > 0; ) {
			if (rest.length === 0) {
				const { done, value } = await pieces.next();
				if (done === true) return;
				rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
			}
			const part = rest.subarray(0, missing);
			rest = rest.subarray(part.length);
			missing -= part.length;
			if (part.length > 0) yield part;
		}
	}
}
