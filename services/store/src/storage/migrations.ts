import type { Migration } from "@tripline/platform/migrations";
import { core } from "./migrations/core.ts";

export const storeMigrations: readonly Migration[] = [core];
