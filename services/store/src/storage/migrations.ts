import type { Migration } from "@tripline/platform/migrations";
import { core } from "./migrations/core.ts";
import { triplets } from "./migrations/triplets.ts";

export const storeMigrations: readonly Migration[] = [core, triplets];
