import { type FileValue, toFileName, toFileType } from "@tripline/contract/files";
import type { NodeCall } from "@tripline/engine/component";
import type { Effects } from "../effects.ts";
import type { OutboundSink } from "../outbound/call.ts";
import { pickFileName } from "./file-name.ts";

export interface Download {
	readonly sink: OutboundSink;
	/** The file made from the response. */
	file(): FileValue;
}

/** Makes a file of the response, if its status is one that `accepts` allows. */
export function createDownload(
	node: Pick<NodeCall<Effects>, "effects" | "meter" | "signal">,
	filename: string | undefined,
	accepts: (status: number) => boolean,
): Download {
	let file: FileValue | undefined;
	return {
		sink: {
			accepts,
			async take(head, content) {
				const name = filename === undefined ? pickFileName(head) : toFileName(filename);
				const type = toFileType(head.headers["content-type"]);
				file = await node.effects.files.create({ name, type }, content, node);
			},
		},
		file() {
			if (file === undefined) throw new Error("the response was not taken as a file");
			return file;
		},
	};
}
