import { useRef, useState } from "react";
import { api } from "../../api/api.ts";
import type { StoredFile } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { FILES } from "../../files/texts.ts";
import { useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Removal } from "../../ui/removal.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast } from "../../ui/toasts.tsx";
import { FileTable } from "./file-table.tsx";

export default function FilesPage() {
	const text = useTexts(FILES);
	const [search, change] = useSearch();
	const isKept = search.get("show") === "kept";
	const filter = isKept ? { kept: true } : {};
	const files = useQuery(`files ${isKept}`, (signal) => api.files.list(filter, signal));
	const [leaving, setLeaving] = useState<StoredFile | null>(null);
	const control = useRef<HTMLInputElement>(null);
	const more = useAction(async () => {
		const next = await api.files.list({ ...filter, cursor: files.data?.next_cursor ?? undefined });
		files.set({ ...next, files: [...(files.data?.files ?? []), ...next.files] });
	});
	const upload = useAction(async (chosen: readonly File[]) => {
		try {
			for (const file of chosen) await api.files.upload(file);
			toast(text.uploaded(chosen.length));
		} finally {
			files.reload();
		}
	});
	const uploadButton = (
		<Button kind="primary" icon="upload" isBusy={upload.isBusy} onClick={() => control.current?.click()}>
			{text.upload}
		</Button>
	);

	return (
		<Page title={text.title} lead={text.lead} actions={uploadButton}>
			<input
				ref={control}
				type="file"
				hidden
				multiple
				aria-label={text.chooseUpload}
				onChange={(event) => {
					const chosen = [...(event.currentTarget.files ?? [])];
					// Choosing the same file again must be a change too.
					event.currentTarget.value = "";
					if (chosen.length > 0) void upload.run(chosen);
				}}
			/>
			{upload.problem !== null && <Problem error={upload.problem} />}
			<Tabs
				label={text.filter}
				tabs={[
					{ id: "all", label: text.all },
					{ id: "kept", label: text.kept },
				]}
				chosen={isKept ? "kept" : "all"}
				onChoose={(id) => change({ show: id === "kept" ? id : null })}
			>
				<Loaded query={files} lines={5}>
					{(page) => (
						<Card isFlush={page.files.length > 0} className="files">
							{page.files.length > 0 && <FileTable files={page.files} onDelete={setLeaving} />}
							{page.files.length === 0 && page.next_cursor === null && (
								<Empty icon="file" title={isKept ? text.noKeptTitle : text.emptyTitle}>
									{isKept ? text.noKeptText : text.emptyText}
								</Empty>
							)}
							{page.next_cursor !== null && <LoadMore more={more} />}
						</Card>
					)}
				</Loaded>
			</Tabs>
			{leaving !== null && (
				<Removal
					title={text.deleteTitle(leaving.name)}
					verb={text.delete}
					done={text.deleted(leaving.name)}
					remove={() => api.files.delete(leaving.id)}
					onRemoved={() => {
						const now = files.data;
						if (now !== undefined)
							files.set({ ...now, files: now.files.filter(({ id }) => id !== leaving.id) });
						setLeaving(null);
					}}
					onClose={() => setLeaving(null)}
				>
					{text.deleteText}
				</Removal>
			)}
		</Page>
	);
}
