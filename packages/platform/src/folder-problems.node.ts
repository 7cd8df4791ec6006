import { FolderProblem } from "./folders.ts";
import { PlatformUnavailable } from "./unavailable.ts";

/** What an error of the file system means for the author of a workflow. Others are passed on. */
export function toFolderProblem(error: unknown): unknown {
	switch ((error as NodeJS.ErrnoException).code) {
		case "ENOENT":
		case "ENOTDIR":
			return new FolderProblem("there is nothing at this path");
		case "EACCES":
		case "EPERM":
		case "EROFS":
			return new FolderProblem("the service has no permission for this path");
		case "ELOOP":
			return new FolderProblem("the path leads through a link that cannot be followed");
		case "ENAMETOOLONG":
			return new FolderProblem("the path is too long");
		case "EISDIR":
			return new FolderProblem("the path is a folder");
		case "EXDEV":
			return new FolderProblem("a file cannot be moved to another disk: read, write and delete it instead");
		case "EFBIG":
			return new FolderProblem("the disk takes no file of this size");
		case "ENOSPC":
		case "EDQUOT":
			return new PlatformUnavailable("the disk is full: free some space", { cause: error });
		default:
			return error;
	}
}
