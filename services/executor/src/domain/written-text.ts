import { sha256Hex } from "@tripline/contract/ids";
import { findUnstorable, readMemberTexts } from "@tripline/contract/json";

/** A workflow as it is stored. */
interface Stored {
	readonly name: string;
	readonly description: string;
	/** JSON. */
	readonly metadata: string;
}

/** Some databases limit a row to 2 MB, and the document itself may be long. */
const MAX_STORED_LENGTH = 1_000_000;

/** Adds the original text to the metadata. Null if it cannot be stored; the workflow is complete without it. */
export async function addText(stored: Stored, text: string): Promise<string | null> {
	if (findUnstorable(text) !== null || stored.metadata.length + text.length > MAX_STORED_LENGTH) return null;
	const document = parseObject(stored.metadata);
	const of = await computeFingerprint({ ...stored, metadata: JSON.stringify(document) });
	return JSON.stringify({ ...document, yaml: { text, of } });
}

/** The original text, if it still belongs to the stored workflow: other ways of changing a workflow do not update it. */
export async function readText({ metadata, ...described }: Stored): Promise<string | null> {
	if (!hasText(metadata)) return null;
	const { yaml, ...rest } = parseObject(metadata);
	const { text, of } = (yaml ?? {}) as { text?: unknown; of?: unknown };
	if (typeof text !== "string") return null;
	return of === (await computeFingerprint({ ...described, metadata: JSON.stringify(rest) })) ? text : null;
}

const computeFingerprint = ({ name, description, metadata }: Stored): Promise<string> =>
	sha256Hex(JSON.stringify([name, description, metadata]));

/** Checked first, because most workflows have none and a large document is slow to parse. */
function hasText(metadata: string): boolean {
	try {
		return readMemberTexts(metadata, ["yaml"]).yaml !== undefined;
	} catch {
		return false;
	}
}

function parseObject(metadata: string): Record<string, unknown> {
	try {
		return { ...(JSON.parse(metadata) as object | null) };
	} catch {
		return {};
	}
}
