import type { JsonObject } from "../../api/types.ts";
import { safeLink } from "../../safe-link.ts";
import { useTexts } from "../../texts/texts.ts";
import { KNOWLEDGE } from "./texts.ts";

/** A tree of names and values; nested values can be collapsed. */
export function MetadataTree({ of }: { readonly of: JsonObject | readonly unknown[] }) {
	const text = useTexts(KNOWLEDGE);
	const entries = Object.entries(of);
	if (entries.length === 0) return <p className="soft">{text.metadataEmpty}</p>;
	return (
		<dl className="tree">
			{entries.map(([name, value]) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>
						<Value of={value} />
					</dd>
				</div>
			))}
		</dl>
	);
}

function Value({ of }: { readonly of: unknown }) {
	const text = useTexts(KNOWLEDGE);
	if (typeof of === "string") {
		const link = safeLink(of);
		return link === null ? (
			<span className="tree-text">{of}</span>
		) : (
			<a href={link} target="_blank" rel="noopener noreferrer">
				{of}
			</a>
		);
	}
	if (typeof of !== "object" || of === null) return <code>{String(of)}</code>;
	const isPlainList = Array.isArray(of) && of.every((each) => typeof each !== "object" || each === null);
	if (isPlainList) return <span className="tree-text">{of.map(String).join(", ") || "[]"}</span>;
	const inner = of as JsonObject;
	return (
		<details open>
			<summary>{text.itemCount(Object.keys(inner).length)}</summary>
			<MetadataTree of={inner} />
		</details>
	);
}
