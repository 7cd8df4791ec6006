import type { IconName } from "../../../ui/icon.tsx";
import type { Mark } from "./comparison.ts";

export const MARK_ICONS: Readonly<Record<Mark, IconName>> = {
	added: "plus",
	removed: "minus",
	changed: "edit",
};
