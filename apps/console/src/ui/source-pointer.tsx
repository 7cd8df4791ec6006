import { safeLink } from "../safe-link.ts";
import { texts, useTexts } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

export interface Pointer {
	readonly uri: string;
	readonly anchor: string | null;
	readonly block: string | null;
	readonly version: string | null;
}

const POINTER = texts({
	en: { anchor: "at", block: "block", version: "version" },
	"zh-Hant": { anchor: "位置", block: "區塊", version: "版本" },
});

const SHORT = 12;

/** A source reference; a link only if the browser can safely follow it. */
export function SourcePointer({ of: { uri, anchor, block, version } }: { readonly of: Pointer }) {
	const text = useTexts(POINTER);
	const link = safeLink(uri);
	const places = [
		[text.anchor, anchor],
		[text.block, block],
		[text.version, version],
	] as const;
	return (
		<div className="source-pointer">
			{link === null ? (
				<span>{uri}</span>
			) : (
				<a href={link} target="_blank" rel="noopener noreferrer">
					{uri} <Icon name="external" size={12} />
				</a>
			)}
			<p className="soft">
				{places.map(
					([label, value]) =>
						value !== null && (
							<span key={label}>
								{label} <code title={value}>{label === text.version ? shortenHash(value) : value}</code>
							</span>
						),
				)}
			</p>
		</div>
	);
}

const shortenHash = (hash: string): string => (hash.length > SHORT ? `${hash.slice(0, SHORT)}…` : hash);
