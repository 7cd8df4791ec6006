interface EventReader {
	/** The data of the events that this piece of the stream completes. */
	push(piece: string): string[];
	/** The last event needs no empty line. */
	end(): string[];
}

/** Reads a `text/event-stream` that arrives in pieces. */
export function createEventReader(): EventReader {
	let line = "";
	let data: string | null = null;
	let isAfterReturn = false;
	return {
		push(piece) {
			const events: string[] = [];
			// The second half of CR LF.
			let start = isAfterReturn && piece.startsWith("\n") ? 1 : 0;
			if (piece !== "") isAfterReturn = piece.endsWith("\r");
			// Lines end with CR LF, LF or CR.
			const end = /\r\n|\n|\r/g;
			end.lastIndex = start;
			for (let found = end.exec(piece); found !== null; found = end.exec(piece)) {
				addLine(line + piece.slice(start, found.index), events);
				line = "";
				start = end.lastIndex;
			}
			line += piece.slice(start);
			return events;
		},
		end() {
			const events: string[] = [];
			addLine(line, events);
			addLine("", events);
			return events;
		},
	};

	function addLine(complete: string, events: string[]): void {
		if (complete === "") {
			if (data !== null) events.push(data);
			data = null;
			return;
		}
		const value = readData(complete);
		if (value !== null) data = data === null ? value : `${data}\n${value}`;
	}
}

function readData(line: string): string | null {
	if (line === "data") return "";
	if (!line.startsWith("data:")) return null;
	return line.slice(line[5] === " " ? 6 : 5);
}
