import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { formatNumber } from "../numbers.ts";
import { useTexts } from "../texts/texts.ts";
import { CopyButton } from "../ui/copy.tsx";
import { Icon } from "../ui/icon.tsx";
import { buildPreview, type Json, listChildren } from "./json-parts.ts";
import { Marked } from "./marked.tsx";
import { buildTemplate } from "./template-path.ts";
import { VALUES } from "./texts.ts";
import { moveInTree } from "./tree-keys.ts";
import {
	findMatches,
	INITIAL_STATE,
	listRows,
	MAX_TEXT_LENGTH,
	type Row,
	renderScalar,
	setOpen,
	showMore,
} from "./tree-rows.ts";

/** Deeper lines are not indented further, so that some width is left for them. */
const MAX_INDENT = 12;

interface Props {
	readonly value: Json;
	readonly label: string;
	/** The first part of the paths that can be copied; null: no template reads these values. */
	readonly root: string | null;
	readonly query: string;
}

/** A value as an ARIA tree with one tab stop. The path of the selected line can be copied. */
export function ValueTree({ value, label, root, query }: Props) {
	const text = useTexts(VALUES);
	const base = useId();
	const tree = useRef<HTMLDivElement>(null);
	const [state, setState] = useState(INITIAL_STATE);
	const [chosen, setChosen] = useState("[]");
	const found = useMemo(() => (query === "" ? null : findMatches(value, query)), [value, query]);
	const rows = useMemo(() => listRows(value, state, found), [value, state, found]);
	const at = Math.max(
		0,
		rows.findIndex(({ id }) => id === chosen),
	);
	const active = rows[at];
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs when another line is selected.
	useEffect(() => {
		if (document.activeElement !== tree.current) return;
		tree.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
	}, [active?.id]);
	if (active === undefined) return <p className="soft">{text.nothingFound}</p>;
	return (
		<div className="value-tree">
			<div
				ref={tree}
				className="value-rows"
				role="tree"
				aria-label={label}
				aria-activedescendant={`${base}-${at}`}
				tabIndex={0}
				onKeyDown={press}
			>
				{rows.map((row, index) => (
					// biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active line.
					// biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys.
					<div
						key={row.id}
						id={`${base}-${index}`}
						role="treeitem"
						className="value-row"
						style={{ paddingInlineStart: `${Math.min(row.level - 1, MAX_INDENT) * 1.1 + 0.35}rem` }}
						aria-level={row.level}
						aria-posinset={row.position}
						aria-setsize={row.size}
						aria-selected={row === active}
						{...(row.isOpen !== undefined && { "aria-expanded": row.isOpen })}
						onClick={() => activate(row)}
					>
						<span className="value-mark">
							{row.isOpen !== undefined && <Icon name={row.isOpen ? "down" : "right"} size={12} />}
						</span>
						<Line row={row} query={query} />
					</div>
				))}
			</div>
			{root !== null && active.kind === "value" && <PathBar of={buildTemplate(root, active.steps)} />}
		</div>
	);

	function activate(row: Row): void {
		setChosen(row.id);
		if (row.kind === "more") setState(showMore(state, row.steps));
		else if (row.isOpen !== undefined) setState(setOpen(state, row.id, !row.isOpen));
	}

	function press(event: KeyboardEvent<HTMLDivElement>): void {
		if (active === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
		const move = moveInTree(rows, at, event.key);
		if (move === null) return;
		event.preventDefault();
		event.stopPropagation();
		if (move === "activate") activate(active);
		else setChosen(move);
	}
}

function PathBar({ of }: { readonly of: string | null }) {
	const text = useTexts(VALUES);
	return (
		<div className="value-path">
			{of === null ? (
				<span className="soft">{text.noPath}</span>
			) : (
				<>
					<code title={of}>{of}</code>
					<CopyButton key={of} of={of} label={text.copyPath} />
				</>
			)}
		</div>
	);
}

function Line({ row, query }: { readonly row: Row; readonly query: string }) {
	const text = useTexts(VALUES);
	const { kind, name, value, isOpen, isMatch } = row;
	if (kind === "more")
		return <span className="value-more">{text.moreCount(formatNumber(Number(value)))}</span>;
	const marked = isMatch ? query : "";
	const key = name !== null && (
		<>
			<span className="json-key">
				<Marked text={name} query={typeof row.steps.at(-1) === "string" ? marked : ""} />
			</span>
			:{" "}
		</>
	);
	const children = listChildren(value);
	if (children !== null)
		return (
			<span className="value-text">
				{key}
				<span className="soft">
					{Array.isArray(value) ? text.elementCount(children.length) : text.keyCount(children.length)}
					{isOpen === false && ` ${buildPreview(value)}`}
				</span>
			</span>
		);
	const shown = renderScalar(value);
	const isLong = isOpen === false;
	return (
		<span className="value-text">
			{key}
			<span className={`json-${value === null ? "null" : typeof value}`}>
				{typeof value === "string" && "“"}
				<Marked text={isLong ? shown.slice(0, MAX_TEXT_LENGTH) : shown} query={marked} />
				{isLong && "…"}
				{typeof value === "string" && "”"}
			</span>
		</span>
	);
}
