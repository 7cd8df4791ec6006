import { Fragment, useSyncExternalStore } from "react";
import type { Diff } from "../../../api/types.ts";
import { useTexts } from "../../../texts/texts.ts";
import { type Cell, type Row, type Section, toSections, toUnified } from "./diff-rows.ts";
import { VERSIONS } from "./texts.ts";

const wide = matchMedia("(min-width: 56rem)");
const isWide = () => wide.matches;
function onWide(listener: () => void): () => void {
	wide.addEventListener("change", listener);
	return () => wide.removeEventListener("change", listener);
}

interface Props {
	readonly hunks: Diff["hunks"];
	/** Names of both sides. */
	readonly from: string;
	readonly to: string;
}

/** The changed lines of a text: side by side, or below each other on small screens. */
export function DiffView({ hunks, from, to }: Props) {
	const text = useTexts(VERSIONS);
	const isSplit = useSyncExternalStore(onWide, isWide);
	if (hunks.length === 0) return <p className="soft">{text.same}</p>;
	const sections = toSections(hunks);
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
		<section className="diff-frame" tabIndex={0} aria-label={text.changes(from, to)}>
			<table className={isSplit ? "diff split-diff" : "diff"}>
				<thead>
					<tr>
						<th scope="col" className="diff-line">
							<span className="hidden-text">{text.line}</span>
						</th>
						{isSplit && <th scope="col">{from}</th>}
						<th scope="col" className="diff-line">
							<span className="hidden-text">{text.line}</span>
						</th>
						<th scope="col">{isSplit ? to : text.changes(from, to)}</th>
					</tr>
				</thead>
				<tbody>
					{sections.map((section) => (
						<Lines key={section.rows[0]?.from?.line ?? 0} of={section} isSplit={isSplit} />
					))}
				</tbody>
			</table>
		</section>
	);
}

function Lines({ of: { skipped, rows }, isSplit }: { readonly of: Section; readonly isSplit: boolean }) {
	const text = useTexts(VERSIONS);
	return (
		<>
			{skipped > 0 && (
				<tr className="diff-skipped">
					<td colSpan={isSplit ? 4 : 3}>{text.skipped(skipped)}</td>
				</tr>
			)}
			{(isSplit ? rows : toUnified(rows)).map((row) => (
				<tr key={`${row.from?.line} ${row.to?.line}`}>
					{isSplit ? (
						<>
							<Half of={row.from} change={row.isChanged ? "removed" : "same"} />
							<Half of={row.to} change={row.isChanged ? "added" : "same"} />
						</>
					) : (
						<Both of={row} />
					)}
				</tr>
			))}
		</>
	);
}

type Change = "same" | "removed" | "added";

function Half({ of, change }: { readonly of: Cell | null; readonly change: Change }) {
	if (of === null)
		return (
			<>
				<td className="diff-line none" />
				<td className="none" />
			</>
		);
	return (
		<>
			<td className={`diff-line numbers ${change}`}>{of.line}</td>
			<td className={change}>
				<Content of={of} change={change} />
			</td>
		</>
	);
}

function Both({ of: { isChanged, from, to } }: { readonly of: Row }) {
	const change = !isChanged ? "same" : to === null ? "removed" : "added";
	const shown = to ?? from;
	return (
		<>
			<td className={`diff-line numbers ${change}`}>{from?.line}</td>
			<td className={`diff-line numbers ${change}`}>{to?.line}</td>
			<td className={change}>{shown !== null && <Content of={shown} change={change} />}</td>
		</>
	);
}

const SIGNS = { same: " ", removed: "−", added: "+" } as const;

/** Signs and elements tell the changes apart without colour. */
function Content({ of: { text, marked, isOpen }, change }: { readonly of: Cell; readonly change: Change }) {
	const words = useTexts(VERSIONS);
	const Element = { same: Fragment, removed: "del", added: "ins" }[change] as typeof Fragment;
	return (
		<div className="diff-text">
			<span className="diff-sign" aria-hidden="true">
				{SIGNS[change]}
			</span>
			<code>
				<Element>
					{marked === null ? (
						text
					) : (
						<>
							{text.slice(0, marked[0])}
							<mark>{text.slice(...marked)}</mark>
							{text.slice(marked[1])}
						</>
					)}
				</Element>
				{isOpen && change !== "same" && <span className="soft"> ({words.noLineEnd})</span>}
			</code>
		</div>
	);
}
