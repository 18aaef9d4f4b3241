-- Run once by the postgres image, as superuser, when its volume is empty, after packages/core/roles.sql. `migrate` and the
-- ops commands log in as brickmark, a member of the role that owns the schema.
\getenv owner_password OWNER_DB_PASSWORD
\getenv api_password API_DB_PASSWORD
\getenv worker_password WORKER_DB_PASSWORD
\getenv web_password WEB_DB_PASSWORD
create role brickmark login password :'owner_password';
grant brickmark_owner to brickmark;
alter role brickmark_api password :'api_password';
alter role brickmark_worker password :'worker_password';
alter role brickmark_web password :'web_password';
create database brickmark owner brickmark_owner;
