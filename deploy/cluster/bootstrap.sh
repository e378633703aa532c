#!/bin/sh
# Run once by Patroni, on the first server: Matchbook's role and database. Patroni passes the address of the server.
set -eu
psql "$1" -v ON_ERROR_STOP=1 -q <<SQL
create role matchbook login createrole password '@SECRET@';
create database matchbook owner matchbook;
SQL
