import { lazy, Suspense, useState } from "react";
import { api } from "../../../api/api.ts";
import { isNotFound, resolveDeletion } from "../../../api/not-found.ts";
import type { ExecutionDetail, KeptData } from "../../../api/types.ts";
import { useAction } from "../../../api/use-action.ts";
import { useSearch } from "../../../router.tsx";
import { useTexts } from "../../../texts/texts.ts";
import { TIMES } from "../../../times.ts";
import { Button } from "../../../ui/button.tsx";
import { COMMON } from "../../../ui/common-texts.ts";
import { Confirm } from "../../../ui/dialog.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { findAgent } from "../conversation/agents.ts";
import { INPUT } from "./input.ts";
import { KeptNodes } from "./kept-nodes.tsx";
import { NothingKept } from "./nothing-kept.tsx";
import { RUN_DATA } from "./texts.ts";
import { useRunData } from "./use-run-data.ts";

const NodeData = lazy(() => import("./node-data.tsx"));
const CompareRuns = lazy(() => import("./compare-runs.tsx"));

/** What is kept of a run that has ended. `?node=` opens the data of a node. */
export function RunData({ detail }: { readonly detail: ExecutionDetail }) {
	const text = useTexts(RUN_DATA);
	const [search, changeSearch] = useSearch();
	const [isComparing, setComparing] = useState(false);
	const { execution_id: id, workflow, nodes } = detail;
	// The trace lists the nodes; without it the data does.
	const { query, more } = useRunData(id, nodes === null ? {} : { limit: 1 });
	const node = search.get("node");
	const isMissing = isNotFound(query.problem);
	const show = (name: string) => changeSearch({ node: name });
	return (
		<section className="detail-part">
			<h3>{text.title}</h3>
			<Loaded query={query} missing={<NothingKept workflow={workflow} />}>
				{(data) => (
					<>
						<Kept data={data} />
						{nodes === null && (
							<KeptNodes nodes={data.nodes} more={data.next_cursor === null ? null : more} onShow={show} />
						)}
						<div className="detail-actions">
							<Button isSmall icon="eye" onClick={() => show(INPUT)}>
								{text.showInput}
							</Button>
							{workflow !== null && (
								<Button isSmall icon="copy" onClick={() => setComparing(true)}>
									{text.compare}
								</Button>
							)}
							<DeleteData id={id} onDeleted={query.reload} />
						</div>
						{isComparing && workflow !== null && (
							<Suspense fallback={null}>
								<CompareRuns id={id} workflow={workflow} onClose={() => setComparing(false)} />
							</Suspense>
						)}
					</>
				)}
			</Loaded>
			{node !== null && (isMissing || query.data !== undefined) && (
				<Suspense fallback={null}>
					<NodeData
						id={id}
						node={node}
						workflow={workflow}
						isKept={!isMissing}
						trace={nodes?.find(({ id: each }) => each === node) ?? null}
						isStep={nodes !== null && findAgent(node, nodes) !== undefined}
						// A run of a webhook with a token has no workflow whose draft could be tested.
						pinsFor={detail.record?.trigger === "webhook" ? null : workflow}
						onClose={() => changeSearch({ node: null })}
					/>
				</Suspense>
			)}
		</section>
	);
}

function Kept({ data }: { readonly data: KeptData }) {
	const text = useTexts(RUN_DATA);
	const { formatTime } = useTexts(TIMES);
	return (
		<p className="soft">
			{data.expires_at === undefined ? text.inMemory : text.stored(formatTime(data.expires_at))}{" "}
			{data.is_cut && text.isCut} {text.chooseNode}
		</p>
	);
}

function DeleteData({ id, onDeleted }: { readonly id: string; onDeleted(): void }) {
	const text = useTexts(RUN_DATA);
	const common = useTexts(COMMON);
	const [isAsking, setAsking] = useState(false);
	const deletion = useAction(async () => {
		const isDeleted = await resolveDeletion(api.executions.deleteData(id));
		toast(isDeleted ? text.deleted : common.alreadyDeleted);
		setAsking(false);
		onDeleted();
	});
	return (
		<>
			<Button isSmall kind="quiet" icon="trash" onClick={() => setAsking(true)}>
				{text.deleteData}
			</Button>
			{isAsking && (
				<Confirm
					title={text.deleteTitle}
					verb={common.delete}
					isBusy={deletion.isBusy}
					onConfirm={() => void deletion.run()}
					onClose={() => setAsking(false)}
				>
					<p>{text.deleteText}</p>
					{deletion.problem !== null && <Problem error={deletion.problem} />}
				</Confirm>
			)}
		</>
	);
}
