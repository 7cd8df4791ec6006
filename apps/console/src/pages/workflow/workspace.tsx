import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api } from "../../api/api.ts";
import type { JsonObject, WorkflowDetail, WorkflowDraft } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { WorkflowEditor } from "../../editor/workflow-editor.tsx";
import { navigate, useSearch } from "../../router.tsx";
import { buildWorkflowPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Page } from "../../ui/page.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useTalk } from "./chat/use-talk.ts";
import { GraphPane } from "./graph-pane.tsx";
import { HeadActions } from "./head-actions.tsx";
import { Notices } from "./notices.tsx";
import { type Panel, Panels } from "./panels.tsx";
import { needsInput } from "./run/needs-input.ts";
import { findFailedNode } from "./run/run-states.ts";
import { useDraftPins } from "./run/use-draft-pins.ts";
import { DiagnosticsList } from "./text/diagnostics-list.tsx";
import { findNodeLine, replaceCredential } from "./text/places.ts";
import { useValidation } from "./text/use-validation.ts";
import { TextAndGraph, type View } from "./text-and-graph.tsx";
import { WORKFLOW } from "./texts.ts";
import { useEditing } from "./use-editing.ts";
import { useInsertion } from "./use-insertion.ts";
import { usePageKeys } from "./use-page-keys.ts";
import { useRunLink } from "./use-run-link.ts";
import { useRunning } from "./use-running.ts";
import { useShownRun } from "./use-shown-run.ts";
import type { Comparison } from "./versions/comparison.ts";
import { type AskedDialog, WorkspaceDialogs } from "./workspace-dialogs.tsx";

interface Props {
	/** Null for a new workflow. */
	readonly name: string | null;
	/** Null for a new workflow, and while a newly saved one is loading. */
	readonly detail: WorkflowDetail | null;
	/** Initial content of a new workflow. */
	readonly initial: { readonly text: string; readonly input: JsonObject };
	/** Error of the last reload. */
	readonly problem: Error | null;
	reload(): void;
	/** Called with what the service has changed of the workflow. */
	onChanged(changes: { readonly draft?: WorkflowDraft | null; readonly enabled?: boolean }): void;
	/** Called when the page continues with a workflow of another name. */
	onSavedAs(name: string): void;
}
type Place = { line?: number; column?: number };
const NONE: readonly never[] = [];

/** A workflow's text and graph, with its tabs below. */
export function Workspace({ name, detail, initial, problem, reload, onChanged, onSavedAs }: Props) {
	const text = useTexts(WORKFLOW);
	const [search, changeSearch] = useSearch();
	const chosenRun = search.get("run");
	const [panel, setPanel] = useState<Panel>(chosenRun === null ? "run" : "history");
	const [view, setView] = useState<View>(chosenRun === null ? "text" : "graph");
	const [selected, setSelected] = useState<string | null>(null);
	const [goTo, setGoTo] = useState<Place | null>(null);
	const [comparison, setComparison] = useState<Comparison | null>(null);
	const [dialog, setDialog] = useState<AskedDialog>(null);
	const [leaveTo, setLeaveTo] = useState<string | null>(null);

	const editing = useEditing({
		name,
		detail,
		initial: initial.text,
		isLeaving: dialog === "delete" || leaveTo !== null,
		onDraft: (stored) => onChanged({ draft: stored }),
		onSaved(saved) {
			if (saved === name) return reload();
			running.clear();
			moveTo(saved);
		},
		onReplaced: () => setGoTo({}),
	});
	const { draft, autosave, saving } = editing;
	useInsertion(draft);
	const checked = useValidation(draft.text);
	const pins = useDraftPins(name, checked.graph);
	const components = useQuery("components", api.components.list);
	const schema = detail?.document.options?.input_schema as JsonObject | undefined;
	const onStart = useCallback(() => {
		changeSearch({ run: null });
		setPanel((before) => (before === "chat" ? before : "run"));
		setView("graph");
		setSelected(null);
	}, [changeSearch]);
	const running = useRunning({
		name,
		isUnsaved: draft.isUnsaved,
		schema,
		initial: initial.input,
		saving,
		autosave,
		pinned: pins.pinned,
		onStart,
		reload,
	});
	const { run } = running;
	const talk = useTalk(name, running);
	const showRun = useCallback(() => setPanel("run"), []);
	const [toRun, toRunDone] = useRunLink(needsInput(draft.text, schema), showRun);
	const shown = useShownRun(chosenRun, run, detail?.executions ?? NONE);
	usePageKeys({ onSave: () => saving.save(), onRun: running.runNow });

	// In an effect, so that the leave guard has been removed first.
	useEffect(() => {
		if (leaveTo === null) return;
		navigate(leaveTo, { replace: name === null, isStaying: true });
		setLeaveTo(null);
	}, [leaveTo, name]);

	const latestText = useRef(draft.text);
	latestText.current = draft.text;
	const select = useCallback((id: string | null, isByPointer = false) => {
		setSelected(id);
		const line = id === null || !isByPointer ? null : findNodeLine(latestText.current, id);
		if (line !== null) setGoTo({ line });
	}, []);
	// Selects the failed node when a run has ended.
	const isOver = chosenRun === null ? (run.result ?? run.found) !== null : shown.detail.data !== undefined;
	const failed = isOver ? findFailedNode(shown.states) : null;
	useEffect(() => {
		if (failed !== null) setSelected(failed);
	}, [failed]);

	const diagnostics = useMemo(
		() => checked.validation?.diagnostics ?? saving.diagnostics,
		[checked.validation, saving.diagnostics],
	);
	return (
		<Page
			isWide
			title={name ?? text.newTitle}
			lead={name === null ? text.newLead : detail?.workflow.description}
			actions={
				<HeadActions
					name={name}
					detail={detail}
					isUnsaved={draft.isUnsaved}
					isSaving={saving.isBusy}
					isDraftLost={autosave.problem !== null}
					onSave={() => saving.save()}
					onDiscard={editing.discard}
					onRename={() => setDialog("rename")}
					onDelete={() => setDialog("delete")}
					onSwitched={(enabled) => onChanged({ enabled })}
				/>
			}
		>
			<Notices
				detail={detail}
				problem={problem}
				saving={saving}
				autosave={autosave}
				isStale={draft.isStale}
				reload={reload}
			/>
			<TextAndGraph
				view={view}
				onView={setView}
				text={
					<div className="text-pane">
						<WorkflowEditor
							label={text.textLabel}
							value={draft.text}
							onChange={handleTyping}
							diagnostics={diagnostics}
							components={components.data ?? NONE}
							onSave={() => saving.save()}
							onRun={running.runNow}
							goTo={goTo}
						/>
						<DiagnosticsList checked={checked} diagnostics={diagnostics} onGoTo={showText} />
					</div>
				}
				graph={
					<GraphPane
						checked={checked}
						trigger={detail?.workflow.trigger}
						states={shown.states}
						hasRun={shown.hasRun}
						endedRun={isOver ? (chosenRun ?? run.executionId) : null}
						pins={pins}
						comparison={comparison}
						selected={selected}
						onSelect={select}
						onCredential={chooseCredential}
						onShowText={showNodeText}
					/>
				}
			/>
			<Panels
				panel={panel}
				name={name}
				detail={detail}
				isUnsaved={draft.isUnsaved}
				isSaving={saving.isBusy}
				schema={schema}
				form={checked.form}
				running={running}
				talk={talk}
				pins={pins}
				nodes={checked.graph?.nodes.length ?? 0}
				chosenRun={chosenRun}
				runDetail={shown.detail}
				focus={toRun}
				onFocused={toRunDone}
				onPanel={setPanel}
				onChooseRun={chooseRun}
				onShowNode={showNode}
				onCompare={setComparison}
				onRestored={reload}
			/>
			<WorkspaceDialogs
				name={name}
				detail={detail}
				editing={editing}
				pins={pins}
				asked={dialog}
				onRenamed={handleRenamed}
				onClose={() => setDialog(null)}
			/>
		</Page>
	);

	/** Continues with the same text under another name. */
	function moveTo(saved: string): void {
		onSavedAs(saved);
		setLeaveTo(buildWorkflowPath(saved));
	}

	function handleRenamed(to: string, version: number): void {
		setDialog(null);
		editing.rename(to, version);
		pins.moveTo(to);
		moveTo(to);
	}

	function handleTyping(next: string): void {
		draft.set(next);
		saving.clear();
	}

	/** Reads the latest text, because a sign-in may have taken a while. */
	function chooseCredential(id: string, credential: string): void {
		const next = replaceCredential(latestText.current, id, credential);
		if (next === null) toast(text.credentialNotSet(credential, id), { isProblem: true });
		else handleTyping(next);
	}

	function showText(place: Place): void {
		setView("text");
		setGoTo({ ...place });
	}

	function showNodeText(id: string): void {
		const line = findNodeLine(draft.text, id);
		if (line !== null) showText({ line });
	}

	function showNode(id: string): void {
		setView("graph");
		setSelected(id);
	}

	function chooseRun(id: string | null): void {
		running.clear();
		setSelected(null);
		if (id !== null) setView("graph");
		changeSearch({ run: id });
	}
}
