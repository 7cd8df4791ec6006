export interface ServerEvent {
	readonly event: string;
	readonly data: string;
}

/** Parses server-sent events as they arrive. An incomplete event at the end is dropped. */
export async function* readServerEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
	const reader = stream.getReader();
	const decoder = new TextDecoder();
	let rest = "";
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			rest += decoder.decode(value, { stream: true });
			// A trailing carriage return may be the first half of CRLF.
			const held = rest.endsWith("\r") ? "\r" : "";
			const blocks = rest
				.slice(0, rest.length - held.length)
				.replaceAll(/\r\n?/g, "\n")
				.split("\n\n");
			rest = (blocks.pop() ?? "") + held;
			for (const block of blocks) {
				const event = parseEvent(block);
				if (event !== null) yield event;
			}
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}

function parseEvent(block: string): ServerEvent | null {
	let event = "message";
	const data: string[] = [];
	for (const line of block.split("\n")) {
		const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
		if (field === "event") event = value;
		if (field === "data") data.push(value);
	}
	return data.length === 0 ? null : { event, data: data.join("\n") };
}
