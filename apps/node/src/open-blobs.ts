import { join } from "node:path";
import type { Blobs } from "@tripline/platform/blobs";
import { bucketBlobs } from "@tripline/platform/blobs.bucket";
import { folderBlobs } from "@tripline/platform/blobs.folder";
import { s3Bucket } from "@tripline/platform/blobs.s3";
import { isBeingBackedUp } from "./data-lock.ts";
import { prepareFolder } from "./databases.ts";
import type { OwnPath } from "./folders.ts";
import type { Settings } from "./settings.ts";

export const DEFAULT_REGION = "us-east-1";

/** Opens the place of the files' bytes. `own` is where they are on this machine outside of the data folder. */
export function openBlobs(settings: Settings, dataFolder: string): { blobs: Blobs; own: readonly OwnPath[] } {
	const { blobs, own } = openPlace(settings, dataFolder);
	const isHeld = () => isBeingBackedUp(dataFolder);
	return { blobs: settings.DATABASE_URL === undefined ? { ...blobs, isHeld } : blobs, own };
}

function openPlace(settings: Settings, dataFolder: string): { blobs: Blobs; own: readonly OwnPath[] } {
	const {
		FILES_DIR,
		FILES_S3_URL: url,
		FILES_S3_REGION: region = DEFAULT_REGION,
		FILES_S3_ACCESS_KEY_ID: accessKeyId,
		FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
	} = settings;
	if (url !== undefined && accessKeyId !== undefined && secretAccessKey !== undefined)
		return { blobs: bucketBlobs(s3Bucket({ url, region, accessKeyId, secretAccessKey })), own: [] };
	if (FILES_DIR === undefined) return { blobs: folderBlobs(join(dataFolder, "files")), own: [] };
	const path = prepareFolder("FILES_DIR", FILES_DIR);
	return { blobs: folderBlobs(path), own: [{ path, setting: "FILES_DIR" }] };
}
