import type { Migration } from "@tripline/platform/migrations";
import type { Sql } from "@tripline/platform/sql";
import { storeMigrations } from "../migrations.ts";
import { schema } from "./schema.ts";

/** PostgreSQL begins with the newest schema. */
export const chooseStoreMigrations = ({ dialect }: Pick<Sql, "dialect">): readonly Migration[] =>
	dialect === "postgres" ? [schema] : storeMigrations;
