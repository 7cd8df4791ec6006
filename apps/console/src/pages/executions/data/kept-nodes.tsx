import type { KeptNode } from "../../../api/types.ts";
import type { Action } from "../../../api/use-action.ts";
import { useTexts } from "../../../texts/texts.ts";
import { LoadMore } from "../../../ui/load-more.tsx";
import { Status } from "../../../ui/status.tsx";
import { findFirstStep } from "./steps.ts";
import { RUN_DATA } from "./texts.ts";

interface Props {
	readonly nodes: readonly KeptNode[];
	/** Null: all are loaded. */
	readonly more: Action<[]> | null;
	onShow(node: string): void;
}

/** The nodes of which something is kept, when the trace is no longer available. */
export function KeptNodes({ nodes, more, onShow }: Props) {
	const byNode = Map.groupBy(nodes, ({ id }) => id);
	return (
		<div className="execution-parts">
			<ol className="trace">
				{[...byNode].map(([id, steps]) => (
					<li key={id}>
						<div className="trace-head">
							<NodeButton node={id} onShow={onShow} />
							<span className="trace-side">
								<Status of={findFirstStep(steps)?.status ?? ""} />
							</span>
						</div>
					</li>
				))}
			</ol>
			{more !== null && <LoadMore more={more} />}
		</div>
	);
}

/** The name of a node, which opens its data. */
export function NodeButton({ node, onShow }: { readonly node: string; onShow(node: string): void }) {
	const text = useTexts(RUN_DATA);
	return (
		<button
			type="button"
			className="trace-name"
			aria-label={text.showNode(node)}
			onClick={() => onShow(node)}
		>
			{node}
		</button>
	);
}
