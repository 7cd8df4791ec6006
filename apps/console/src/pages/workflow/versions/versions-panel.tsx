import { useEffect, useState } from "react";
import { api } from "../../../api/api.ts";
import type { Side, WorkflowDetail } from "../../../api/types.ts";
import { useAction } from "../../../api/use-action.ts";
import { useQuery } from "../../../api/use-query.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { focusUnlessHeld, rememberFocus } from "../../../ui/focus.ts";
import { LoadMore } from "../../../ui/load-more.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { ChangedNodes } from "./changed-nodes.tsx";
import type { Comparison } from "./comparison.ts";
import { DiffView } from "./diff-view.tsx";
import { VERSIONS } from "./texts.ts";
import { useComparison } from "./use-comparison.ts";
import { VersionList } from "./version-list.tsx";

interface Props {
	readonly name: string;
	readonly detail: WorkflowDetail;
	/** Called with the shown comparison, whose nodes are marked on the graph; null if none is shown. */
	onCompare(comparison: Comparison | null): void;
	onShowNode(id: string): void;
	/** Called after a version was restored. */
	onRestored(): void;
}

/** The versions of a workflow and what changed between any two of them. */
export function VersionsPanel({ name, detail, onCompare, onShowNode, onRestored }: Props) {
	const text = useTexts(VERSIONS);
	const { draft } = detail;
	const current = detail.workflow.version_number;
	const versions = useQuery(`versions:${name}`, (signal) => api.versions.list(name, undefined, signal));
	const { data: listed, reload: reloadVersions } = versions;
	const isOutdated = listed !== undefined && listed.versions[0]?.number !== current;
	// The list stays meanwhile, with the focus in it.
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each current version.
	useEffect(() => {
		if (isOutdated) reloadVersions();
	}, [current, isOutdated]);
	const more = useAction(async () => {
		const next = await api.versions.list(name, versions.data?.next_cursor ?? undefined);
		versions.set({ ...next, versions: [...(versions.data?.versions ?? []), ...next.versions] });
	});
	const [chosen, setChosen] = useState<{ readonly to: Side; readonly from?: Side } | null>(null);
	const to = chosen === null || (chosen.to === "draft" && draft === null) ? current : chosen.to;
	const from = chosen?.from ?? (to === "draft" ? (draft?.base ?? null) : getPrevious(to));
	const compared = useComparison({ name, from, to, draft });
	useEffect(() => {
		onCompare(compared.data ?? null);
		return () => onCompare(null);
	}, [compared.data, onCompare]);
	const restore = useAction(async (version: number) => {
		const pressed = rememberFocus(document.activeElement);
		const restored = await api.versions.rollBack(name, version, current ?? undefined);
		const undo = () => void undoRestore.run(current ?? 1, restored.version_number);
		toast(text.restored(version, restored.version_number), { action: { label: text.undo, run: undo } });
		setChosen(null);
		// The button is gone with the choice.
		focusUnlessHeld(pressed);
		onRestored();
	});
	const undoRestore = useAction(async (version: number, ifVersion: number) => {
		await api.versions.rollBack(name, version, ifVersion);
		toast(text.undone(version));
		setChosen(null);
		onRestored();
	});
	const describe = (side: Side | null) =>
		side === null ? text.nothing : side === "draft" ? text.draft : text.version(side);
	const problem = restore.problem ?? undoRestore.problem;
	if (current === null) return <Empty icon="clock" title={text.none} />;
	return (
		<Loaded query={versions}>
			{(page) => (
				<div className="versions">
					<div className="versions-list">
						<VersionList
							versions={page.versions}
							draft={draft}
							name={name}
							current={current}
							chosen={to}
							onChoose={(side) => setChosen({ to: side })}
						/>
						{page.next_cursor !== null && <LoadMore more={more} />}
					</div>
					<div className="stack">
						<div className="versions-tools">
							<h2>{describe(to)}</h2>
							<label className="line">
								<span className="soft">{text.comparedWith}</span>
								<select value={String(from)} onChange={(event) => compareWith(event.currentTarget.value)}>
									{!page.versions.some(({ number }) => number === from) && from !== "draft" && (
										<option value={String(from)}>{describe(from)}</option>
									)}
									{draft !== null && to !== "draft" && <option value="draft">{text.draft}</option>}
									{page.versions
										.filter(({ number }) => number !== to)
										.map(({ number }) => (
											<option key={number} value={number}>
												{text.version(number)}
											</option>
										))}
								</select>
							</label>
							{typeof to === "number" && to !== current && (
								<Button
									isSmall
									icon="reload"
									isBusy={restore.isBusy}
									title={text.restoreHint}
									onClick={() => void restore.run(to)}
								>
									{text.restore(to)}
								</Button>
							)}
						</div>
						{problem !== null && <Problem error={problem} />}
						{typeof to === "number" && to !== current && <p className="soft">{text.restoreHint}</p>}
						<Loaded query={compared}>
							{({ hunks, drawn }) => (
								<>
									<ChangedNodes of={drawn?.marks ?? null} onShowNode={onShowNode} />
									<DiffView hunks={hunks} from={describe(from)} to={describe(to)} />
								</>
							)}
						</Loaded>
					</div>
				</div>
			)}
		</Loaded>
	);

	function compareWith(value: string): void {
		if (to !== null) setChosen({ to, from: value === "draft" ? "draft" : Number(value) });
	}
}

const getPrevious = (version: number | null): number | null =>
	version === null || version < 2 ? null : version - 1;
