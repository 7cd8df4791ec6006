import { api, type KeptDataFilter } from "../../../api/api.ts";
import type { KeptData } from "../../../api/types.ts";
import { type Action, useAction } from "../../../api/use-action.ts";
import { type Query, useQuery } from "../../../api/use-query.ts";

export interface RunDataQuery {
	readonly query: Query<KeptData>;
	readonly more: Action<[]>;
}

/** A page of what is kept of a run, and a way to load the next one. */
export function useRunData(id: string | null, filter: KeptDataFilter): RunDataQuery {
	const query = useQuery(id === null ? null : `kept data ${id} ${JSON.stringify(filter)}`, (signal) =>
		api.executions.data(id ?? "", filter, signal),
	);
	const more = useAction(async () => {
		const { data } = query;
		if (data === undefined || data.next_cursor === null) return;
		const page = await api.executions.data(data.execution_id, { ...filter, cursor: data.next_cursor });
		query.set({ ...page, nodes: [...data.nodes, ...page.nodes] });
	});
	return { query, more };
}
