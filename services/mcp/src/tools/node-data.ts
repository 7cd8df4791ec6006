import type { Json } from "@tripline/contract/json";
import type { KeptNode, KeptValue } from "@tripline/contract/kept-data";
import type { TenantExecutor } from "@tripline/executor/client";

interface NodeOfRun {
	readonly execution_id: string;
	readonly node: string;
	readonly place?: string | undefined;
}

/** Elements of loops and attempts of one node. */
const MAX_SHOWN = 20;

/** What a node of a run received and gave; a list if it ran several times. */
export async function readNodeData(
	{ executions }: TenantExecutor,
	{ execution_id, node, place }: NodeOfRun,
): Promise<Json> {
	const query = { node, limit: String(MAX_SHOWN), ...(place !== undefined && { place }) };
	const { nodes, next_cursor } = await executions.data(execution_id, query);
	const [only] = nodes;
	if (only !== undefined && nodes.length === 1) return toJson(only);
	const more = next_cursor === null ? [] : ["there are more: choose one with place"];
	return [...nodes.map(toJson), ...more];
}

function toJson({ place, attempt, status, error, input, input_error, output, called }: KeptNode): Json {
	return {
		...(place !== "" && { place }),
		...(attempt > 1 && { attempt }),
		status,
		...(error !== undefined && { error }),
		...(input !== undefined && { input: readValue(input) }),
		...(input_error !== undefined && { input_error }),
		...(output !== undefined && { output: readValue(output) }),
		...(called !== undefined && { called_execution_id: called }),
	};
}

const readValue = (value: KeptValue): Json =>
	"json" in value ? value.json : `${value.text}… (the beginning of ${value.bytes} bytes of JSON)`;
