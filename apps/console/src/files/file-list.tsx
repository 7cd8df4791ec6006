import { listFileValues } from "@tripline/contract/file-values";
import { FileItem } from "./file-item.tsx";

const MAX_SHOWN_FILES = 20;

/** The files that a value names; nothing if there are none. */
export function FileList({ value, label }: { readonly value: unknown; readonly label?: string }) {
	const files = listFileValues(value, MAX_SHOWN_FILES);
	if (files.length === 0) return null;
	return (
		<ul className="file-list" aria-label={label}>
			{files.map((file) => (
				<li key={file.$file}>
					<FileItem file={file} />
				</li>
			))}
		</ul>
	);
}
