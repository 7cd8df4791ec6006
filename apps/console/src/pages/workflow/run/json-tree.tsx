import { parseFileValue } from "@tripline/contract/file-values";
import { useState } from "react";
import { FileItem } from "../../../files/file-item.tsx";
import { formatNumber } from "../../../numbers.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Icon } from "../../../ui/icon.tsx";
import { buildPreview, isOpenAtFirst, type Json, listChildren } from "../../../values/json-parts.ts";
import { VALUES } from "../../../values/texts.ts";
import { RUNS } from "./texts.ts";

const MAX_CHILDREN = 100;
const MAX_TEXT_LENGTH = 1000;

/** A JSON tree. Objects and lists can be expanded; long lists show their first items. */
export function JsonTree({ value }: { readonly value: Json }) {
	return (
		<div className="json-tree">
			<Value value={value} name={null} depth={0} />
		</div>
	);
}

interface Props {
	readonly value: Json;
	readonly name: string | null;
	readonly depth: number;
}

function Value({ value, name, depth }: Props) {
	const file = parseFileValue(value);
	if (file !== null)
		return (
			<div className="json-leaf">
				{name !== null && <span className="json-key">{name}: </span>}
				<FileItem file={file} />
			</div>
		);
	const children = listChildren(value);
	if (children === null)
		return (
			<div className="json-leaf">
				{name !== null && <span className="json-key">{name}: </span>}
				<Scalar value={value} />
			</div>
		);
	return <Nested value={value} name={name} depth={depth} entries={children} />;
}

function Nested({
	value,
	name,
	depth,
	entries,
}: Props & { readonly entries: readonly (readonly [string, Json])[] }) {
	const text = useTexts(VALUES);
	const [isOpen, setOpen] = useState(() => isOpenAtFirst(value, depth));
	const [shown, setShown] = useState(MAX_CHILDREN);
	const left = entries.length - shown;
	return (
		<div className="json-nested">
			<button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
				<Icon name={isOpen ? "down" : "right"} size={12} />
				{name !== null && <span className="json-key">{name}: </span>}
				<span className="soft">
					{Array.isArray(value) ? text.elementCount(entries.length) : text.keyCount(entries.length)}
					{!isOpen && <code> {buildPreview(value)}</code>}
				</span>
			</button>
			{isOpen && (
				<ul>
					{entries.slice(0, shown).map(([key, each]) => (
						<li key={key}>
							<Value value={each} name={key} depth={depth + 1} />
						</li>
					))}
					{left > 0 && (
						<li>
							<button type="button" onClick={() => setShown(shown + MAX_CHILDREN * 5)}>
								{text.moreCount(formatNumber(left))}
							</button>
						</li>
					)}
				</ul>
			)}
		</div>
	);
}

function Scalar({ value }: { readonly value: Json }) {
	const text = useTexts(RUNS);
	const [isWhole, setWhole] = useState(false);
	if (typeof value !== "string")
		return <span className={`json-${value === null ? "null" : typeof value}`}>{String(value)}</span>;
	const isLong = value.length > MAX_TEXT_LENGTH && !isWhole;
	return (
		<>
			<span className="json-string">{isLong ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value}</span>
			{isLong && (
				<button type="button" onClick={() => setWhole(true)}>
					{text.showFullText}
				</button>
			)}
		</>
	);
}
