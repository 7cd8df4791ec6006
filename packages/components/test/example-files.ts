import { readFileSync } from "node:fs";
import { writePages } from "../../platform/test/pdf-writer.ts";
import type { memoryFiles } from "./memory-files.ts";

const readFixture = (name: string): Uint8Array =>
	readFileSync(new URL(`./fixtures/${name}`, import.meta.url));

/** Adds the files that examples of `parse` name, by their ids. */
export function addExampleFiles(add: ReturnType<typeof memoryFiles>["add"]): void {
	const addBytes = (id: string, name: string, content: Uint8Array | string) =>
		add(name, "application/octet-stream", content, id);
	addBytes("file-with-report-00001", "report.csv", "day,total\n2026-03-02,12\n");
	addBytes("file-with-orders-00001", "orders.xlsx", readFixture("calculated.xlsx"));
	addBytes("file-with-letter-00001", "letter.docx", readFixture("page.docx"));
	addBytes("file-with-archive-0001", "all.zip", readFixture("reports.zip"));
	const info = "/Title (Paper) /Author (Ada) /CreationDate (D:20260302083000Z)";
	addBytes("file-with-paper-000001", "paper.pdf", writePages(3, info));
}
