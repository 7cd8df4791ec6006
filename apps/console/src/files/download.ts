import { api } from "../api/api.ts";
import { safeLink } from "../safe-link.ts";

/**
 * Downloads a file by a link that is valid for some minutes. The link may lead to another origin, so it opens in a new
 * tab, which the browser closes when it sees that it is a download. This page stays as it is.
 */
export async function downloadFile(id: string): Promise<void> {
	const { url } = await api.files.link(id);
	const href = safeLink(url);
	if (href === null) throw new Error("the download link is not valid");
	const link = document.createElement("a");
	link.href = href;
	link.download = "";
	link.target = "_blank";
	link.rel = "noopener noreferrer";
	document.body.append(link);
	link.click();
	link.remove();
}
