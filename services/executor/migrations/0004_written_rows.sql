create table if not exists migrations (version integer primary key, name text not null) strict;

create table written_rows (day integer primary key, rows integer not null) strict;

insert into migrations (version, name) values (4, 'written_rows');
