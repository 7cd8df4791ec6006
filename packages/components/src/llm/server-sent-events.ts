/** Yields the data of each event of a `text/event-stream`, in order. The last event needs no empty line. */
export function* readEvents(stream: string): Generator<string> {
	let data: string | null = null;
	for (const line of splitLines(stream)) {
		if (line === "") {
			if (data !== null) yield data;
			data = null;
			continue;
		}
		const value = readData(line);
		if (value !== null) data = data === null ? value : `${data}\n${value}`;
	}
	if (data !== null) yield data;
}

function readData(line: string): string | null {
	if (line === "data") return "";
	if (!line.startsWith("data:")) return null;
	return line.slice(line[5] === " " ? 6 : 5);
}

/** Lines end with CR LF, LF or CR. */
function* splitLines(text: string): Generator<string> {
	const end = /\r\n|\n|\r/g;
	let start = 0;
	for (let found = end.exec(text); found !== null; found = end.exec(text)) {
		yield text.slice(start, found.index);
		start = end.lastIndex;
	}
	yield text.slice(start);
}
